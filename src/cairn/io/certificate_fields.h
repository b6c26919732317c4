// SPDX-License-Identifier: Apache-2.0
// The fields of a certificate by name, with units: the one list that recordings, JSON and documents are made from.
#pragma once
#include "cairn/sim/certificate.h"

#include <span>
#include <string_view>

namespace cairn {

struct CertificateField {
  std::string_view name, unit, help;
  bool integer = false;
  double largest = 0;  ///< of an integer field
  double (*get)(const Certificate&) = nullptr;
  void (*set)(Certificate&, double) = nullptr;
};

/// All fields; `time` is the first.
std::span<const CertificateField> certificate_fields();

}  // namespace cairn
