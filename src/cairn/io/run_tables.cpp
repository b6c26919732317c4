// SPDX-License-Identifier: Apache-2.0
// The columns of each table are described once; text and arrays are both made from that.
#include "cairn/io/run_tables.h"

#include <array>
#include <functional>
#include <variant>

#include "cairn/base/error.h"
#include "cairn/io/certificate_fields.h"
#include "cairn/io/npz.h"
#include "cairn/io/output_file.h"
#include "cairn/io/words.h"

namespace cairn {
namespace {

/// What a body or joint index is written as in text.
enum class Names { None, Body, Joint };

/// One column of rows that belong to frames: a number of row i.
struct Column {
  std::string name;
  std::variant<std::function<double(const Frame&, std::size_t)>, std::function<std::int32_t(const Frame&, std::size_t)>,
               std::function<std::uint8_t(const Frame&, std::size_t)>>
      get;
  Names names = Names::None;
};
using Real = std::function<double(const Frame&, std::size_t)>;
using Whole = std::function<std::int32_t(const Frame&, std::size_t)>;
using Small = std::function<std::uint8_t(const Frame&, std::size_t)>;

struct FrameTable {
  std::vector<Column> columns;
  std::function<std::size_t(const Frame&)> rows;
};

void add_vector(FrameTable& table, const std::array<const char*, 3>& names,
                const std::function<Vec3(const Frame&, std::size_t)>& get) {
  for (int k = 0; k < 3; ++k)
    table.columns.push_back(
        {names[static_cast<std::size_t>(k)], Real([get, k](const Frame& f, std::size_t i) { return get(f, i)[k]; })});
}

FrameTable bodies_table(const Recording& recording) {
  FrameTable table;
  const std::size_t n = recording.bodies().size();
  table.rows = [n](const Frame&) { return n; };
  table.columns.push_back({"time", Real([](const Frame& f, std::size_t) { return f.time; })});
  table.columns.push_back(
      {"body", Whole([](const Frame&, std::size_t i) { return static_cast<std::int32_t>(i); }), Names::Body});
  add_vector(table, {"x", "y", "z"}, [](const Frame& f, std::size_t i) { return f.position[i]; });
  table.columns.push_back({"qw", Real([](const Frame& f, std::size_t i) { return f.orientation[i].w(); })});
  add_vector(table, {"qx", "qy", "qz"}, [](const Frame& f, std::size_t i) { return Vec3(f.orientation[i].vec()); });
  add_vector(table, {"vx", "vy", "vz"}, [](const Frame& f, std::size_t i) { return f.velocity[i]; });
  add_vector(table, {"wx", "wy", "wz"}, [](const Frame& f, std::size_t i) { return f.angular_velocity[i]; });
  return table;
}

FrameTable contacts_table(const Recording& recording) {
  if (!recording.info().contacts) throw Error("there is no table of contacts: they were not recorded");
  FrameTable table;
  table.rows = [](const Frame& f) { return f.contacts.size(); };
  table.columns.push_back({"time", Real([](const Frame& f, std::size_t) { return f.time; })});
  table.columns.push_back(
      {"body_a", Whole([](const Frame& f, std::size_t i) { return f.contacts[i].body_a; }), Names::Body});
  table.columns.push_back(
      {"body_b", Whole([](const Frame& f, std::size_t i) { return f.contacts[i].body_b; }), Names::Body});
  add_vector(table, {"x", "y", "z"}, [](const Frame& f, std::size_t i) { return f.contacts[i].point; });
  add_vector(table, {"nx", "ny", "nz"}, [](const Frame& f, std::size_t i) { return f.contacts[i].normal; });
  add_vector(table, {"fx", "fy", "fz"}, [](const Frame& f, std::size_t i) { return f.contacts[i].force; });
  table.columns.push_back({"gap", Real([](const Frame& f, std::size_t i) { return f.contacts[i].gap; })});
  table.columns.push_back(
      {"state", Small([](const Frame& f, std::size_t i) { return static_cast<std::uint8_t>(f.contacts[i].state); })});
  return table;
}

FrameTable joints_table(const Recording& recording) {
  FrameTable table;
  const std::size_t n = recording.joints().size();
  table.rows = [n](const Frame&) { return n; };
  table.columns.push_back({"time", Real([](const Frame& f, std::size_t) { return f.time; })});
  table.columns.push_back(
      {"joint", Whole([](const Frame&, std::size_t i) { return static_cast<std::int32_t>(i); }), Names::Joint});
  add_vector(table, {"fx", "fy", "fz"}, [](const Frame& f, std::size_t i) { return f.joint_force[i]; });
  add_vector(table, {"tx", "ty", "tz"}, [](const Frame& f, std::size_t i) { return f.joint_torque[i]; });
  return table;
}

FrameTable pulls_table() {
  FrameTable table;
  table.rows = [](const Frame& f) { return f.pull ? std::size_t{1} : std::size_t{0}; };
  table.columns.push_back({"time", Real([](const Frame& f, std::size_t) { return f.time; })});
  table.columns.push_back({"body", Whole([](const Frame& f, std::size_t) { return f.pull->body; }), Names::Body});
  add_vector(table, {"px", "py", "pz"}, [](const Frame& f, std::size_t) { return f.pull->point; });
  add_vector(table, {"tx", "ty", "tz"}, [](const Frame& f, std::size_t) { return f.pull->target; });
  add_vector(table, {"fx", "fy", "fz"}, [](const Frame& f, std::size_t) { return f.pull->force; });
  return table;
}

FrameTable frame_table(const Recording& recording, RunTable table) {
  switch (table) {
    case RunTable::Bodies: return bodies_table(recording);
    case RunTable::Contacts: return contacts_table(recording);
    case RunTable::Pulls: return pulls_table();
    default: return joints_table(recording);
  }
}

std::string_view name_of(RunTable table) { return run_tables()[static_cast<std::size_t>(table)].name; }

template <class List>
std::vector<std::string> names_in(const List& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(item.name);
  return names;
}

void write_certificate_csv(const Recording& recording, const std::filesystem::path& path) {
  const std::vector<Certificate> steps = recording.certificates();
  OutputFile file(path);
  std::string line;
  for (const CertificateField& field : certificate_fields())
    line += (line.empty() ? "" : ",") + std::string(field.name);
  file.write(line + "\n");
  for (const Certificate& c : steps) {
    line.clear();
    for (const CertificateField& field : certificate_fields()) {
      if (!line.empty()) line += ',';
      line +=
          field.integer ? fmt::format("{}", static_cast<std::int64_t>(field.get(c))) : fmt::format("{}", field.get(c));
    }
    file.write(line + "\n");
  }
  file.finish();
}

void add_certificate(const Recording& recording, NpzWriter& npz) {
  const std::vector<Certificate> steps = recording.certificates();
  for (const CertificateField& field : certificate_fields()) {
    const std::string name = fmt::format("certificate/{}", field.name);
    if (field.integer) {
      std::vector<std::int32_t> values;
      for (const Certificate& c : steps) values.push_back(static_cast<std::int32_t>(field.get(c)));
      npz.add(name, values);
    } else {
      std::vector<double> values;
      for (const Certificate& c : steps) values.push_back(field.get(c));
      npz.add(name, values);
    }
  }
}

void add_frame_table(const Recording& recording, RunTable which, NpzWriter& npz) {
  const FrameTable table = frame_table(recording, which);
  using Values = std::variant<std::vector<double>, std::vector<std::int32_t>, std::vector<std::uint8_t>>;
  std::vector<Values> values;
  for (const Column& column : table.columns) {
    if (std::holds_alternative<Real>(column.get)) values.emplace_back(std::vector<double>{});
    if (std::holds_alternative<Whole>(column.get)) values.emplace_back(std::vector<std::int32_t>{});
    if (std::holds_alternative<Small>(column.get)) values.emplace_back(std::vector<std::uint8_t>{});
  }
  for (std::size_t k = 0; k < recording.frame_count(); ++k) {
    const Frame frame = recording.frame(k);
    const std::size_t rows = table.rows(frame);
    for (std::size_t c = 0; c < values.size(); ++c)
      std::visit(
          [&](auto& list) {
            using Get = std::function<typename std::decay_t<decltype(list)>::value_type(const Frame&, std::size_t)>;
            const Get& get = std::get<Get>(table.columns[c].get);
            for (std::size_t i = 0; i < rows; ++i) list.push_back(get(frame, i));
          },
          values[c]);
  }
  for (std::size_t c = 0; c < values.size(); ++c)
    std::visit(
        [&](const auto& list) {
          npz.add(fmt::format("{}/{}", name_of(which), table.columns[c].name), std::span(list));
        },
        values[c]);
}

}  // namespace

std::span<const RunTableInfo> run_tables() {
  static constexpr std::array<RunTableInfo, 5> list{{
      {RunTable::Bodies, "bodies", "positions, orientations and velocities, a row per frame and body"},
      {RunTable::Contacts, "contacts",
       "bodies, point, normal, force, gap and state, a row per frame and contact point"},
      {RunTable::Joints, "joints", "force and torque on A, a row per frame and joint"},
      {RunTable::Pulls, "pulls",
       "body, point on it (own axes), target and force of a hand that pulled, a row per frame with one"},
      {RunTable::Certificate, "certificate", "all fields of the certificate, a row per step"},
  }};
  return list;
}

void write_table_csv(const Recording& recording, RunTable which, const std::filesystem::path& path) {
  if (which == RunTable::Certificate) return write_certificate_csv(recording, path);
  const FrameTable table = frame_table(recording, which);
  OutputFile file(path);
  std::string text;
  for (const Column& column : table.columns) text += (text.empty() ? "" : ",") + column.name;
  file.write(text + "\n");
  std::vector<std::string> bodies, joints;
  for (const std::string& name : names_in(recording.bodies())) bodies.push_back(csv_field(name));
  for (const std::string& name : names_in(recording.joints())) joints.push_back(csv_field(name));
  for (std::size_t k = 0; k < recording.frame_count(); ++k) {
    const Frame frame = recording.frame(k);
    const std::size_t rows = table.rows(frame);
    text.clear();
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const Column& column = table.columns[c];
        if (c > 0) text += ',';
        std::visit(
            [&](const auto& get) {
              const auto value = get(frame, i);
              if (column.names == Names::None) {
                text += fmt::format("{}", value);
              } else {
                const auto& names = column.names == Names::Body ? bodies : joints;
                text += value < 0 ? std::string("world") : names[static_cast<std::size_t>(value)];
              }
            },
            column.get);
      }
      text += '\n';
    }
    file.write(text);
  }
  file.finish();
}

void write_tables_npz(const Recording& recording, std::span<const RunTable> tables, const std::filesystem::path& path) {
  NpzWriter npz(path);
  npz.add("names/body", names_in(recording.bodies()));
  npz.add("names/joint", names_in(recording.joints()));
  for (const RunTable table : tables) {
    if (table == RunTable::Certificate) {
      add_certificate(recording, npz);
    } else {
      add_frame_table(recording, table, npz);
    }
  }
  npz.finish();
}

}  // namespace cairn
