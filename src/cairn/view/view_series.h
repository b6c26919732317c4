// SPDX-License-Identifier: Apache-2.0
// Curves of the page's plots: their names, and fewer points that keep every extreme.
#pragma once
#include "cairn/io/recording.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

struct TimeSeries {
  std::vector<double> t, y;
};

/// What is asked for: a name and, if wanted, a part of the time and a number of points.
struct SeriesRequest {
  std::string name;
  std::optional<double> from, to;  ///< [s]
  std::size_t points = 4000;       ///< at most so many samples come back
};

/// At most `points` samples (at least 4): those that are the least and the greatest of their bucket, in order of time,
/// so that a spike of one sample survives.
TimeSeries reduce_series(const TimeSeries& all, std::size_t points);
/// Bytes of the answer: uint32 n, uint32 0, double t[n], double y[n].
std::string encode_series(const TimeSeries& series);

/// What a name means.
struct SeriesName {
  /// Certificate: a field; Energy: a part or `total`; Work: the running sum of a part; Contact: normal force of a
  /// pair; Pull: force of the hand, zero where nobody pulls.
  enum class Kind { Certificate, Energy, Work, Track, Contact, Pull } kind = Kind::Certificate;
  std::string field;  ///< of the certificate: certificate, energy, work
  cairn::Track track = cairn::Track::Position;
  std::size_t index = 0;         ///< track
  int component = -1;            ///< track, pull: 0 to 2; -1: the magnitude, or the only number
  int body_a = -1, body_b = -1;  ///< contact
};
/// Throws Error with the names there are when it is none of them.
SeriesName parse_series_name(const std::string& name);

/// Reads one field of the certificates of all steps.
using CertificateReader = std::function<std::vector<double>(std::string_view field)>;
/// A series of the kinds Certificate, Energy and Work.
TimeSeries make_certificate_series(const SeriesName& name, const CertificateReader& read);

/// The samples in [from, to] with one more on either side, so that a zoomed curve leaves its window.
TimeSeries cut_series(TimeSeries all, const SeriesRequest& request);

}  // namespace cairn
