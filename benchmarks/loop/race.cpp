// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags, turns, medians and the table.
#include "race.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>

#include "halocline/core/clock.hpp"
#include "halocline/core/output_file.hpp"

namespace halocline::benchmarks {

namespace {

template <class Number>
Number number_of(const std::string& flag, const std::string& text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    validate<UsageError>(error == std::errc{} && stop == end && number > 0,
                         flag + " takes a number from 1, not '" + text + "'.");
    return number;
}

std::vector<Numbering> numberings_of(const std::string& text) {
    std::vector<Numbering> chosen;
    for (const Numbering numbering : {Numbering::natural, Numbering::shuffled}) {
        if (text == "both" || text == numbering_name(numbering)) {
            chosen.push_back(numbering);
        }
    }
    validate<UsageError>(!chosen.empty(),
                         "--numbering takes natural, shuffled or both, not '" + text + "'.");
    return chosen;
}

std::vector<double> values_of(const std::vector<Sample>& samples, double Sample::*clock,
                              double unit_s) {
    std::vector<double> values;
    for (const Sample& sample : samples) {
        values.push_back(sample.*clock / unit_s);
    }
    return values;
}

/// How many times as fast as `yardstick`: the median of the ratios of one repetition each.
double times_as_fast(const std::vector<Sample>& yardstick, const std::vector<Sample>& samples,
                     double Sample::*clock) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        ratios.push_back(yardstick[i].*clock / samples[i].*clock);
    }
    return median(std::move(ratios));
}

std::string json_list(const std::vector<double>& values) {
    std::string text = "[";
    for (const double value : values) {
        std::array<char, 32> digits{};
        std::snprintf(digits.data(), digits.size(), "%s%.6g", text.size() > 1 ? ", " : "", value);
        text += digits.data();
    }
    return text + "]";
}

}  // namespace

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

RaceFlags read_race_flags(int argc, char** argv, const std::string& size_name, RaceFlags flags) {
    const std::string size_flag = "--" + size_name;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const std::size_t sign = word.find('=');
        const std::string flag = word.substr(0, sign);
        const std::string text = sign == std::string::npos ? "" : word.substr(sign + 1);
        if (flag == size_flag) {
            flags.size = number_of<GlobalIndex>(flag, text);
        } else if (flag == "--numbering") {
            flags.numberings = numberings_of(text);
        } else if (flag == "--repetitions") {
            flags.repetitions = number_of<int>(flag, text);
        } else if (flag == "--iterations") {
            flags.iterations = number_of<int>(flag, text);
        } else if (flag == "--threads") {
            flags.threads = number_of<int>(flag, text);
        } else if (flag == "--only") {
            flags.only = text;
        } else if (flag == "--json") {
            flags.json = text;
        } else {
            throw UsageError("'" + word + "' is no flag (" + size_flag +
                             "=N, --numbering=natural|shuffled|both, --repetitions=N, "
                             "--iterations=N, --threads=N, --only=TEXT, --json=FILE). Use one.");
        }
    }
    return flags;
}

void Race::add(Runner runner) {
    runners_.push_back(std::move(runner));
    samples_.emplace_back();
}

const std::vector<Sample>* Race::find(const std::string& name) const {
    const auto found = std::find_if(runners_.begin(), runners_.end(),
                                    [&](const Runner& runner) { return runner.name == name; });
    return found == runners_.end() ? nullptr
                                   : &samples_[static_cast<std::size_t>(found - runners_.begin())];
}

Sample Race::time(const Runner& runner) const {
    if (runner.prepare) {
        runner.prepare();
    }
    comm_.barrier();
    const double wall_s = wall_seconds();
    const double cpu_s = cpu_seconds();
    runner.run();
    const double wall = wall_seconds() - wall_s;
    const double cpu = cpu_seconds() - cpu_s;
    return {comm_.max(wall), comm_.max(cpu)};
}

void Race::warm_up() {
    for (const Runner& runner : runners_) {
        static_cast<void>(time(runner));
    }
}

void Race::run(int repetitions) {
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (std::size_t i = 0; i < runners_.size(); ++i) {
            samples_[i].push_back(time(runners_[i]));
        }
    }
}

void Race::print() const {
    if (!comm_.is_root()) {
        return;
    }
    std::printf("\n%s: %s, %d rank(s), %zu repetitions in turns\n", title_.c_str(), unit_.c_str(),
                comm_.size(), samples_.front().size());
    std::printf("%-56s %9s %9s %9s %9s   %s\n", "", "median", "smallest", "largest", "cpu",
                "times as fast (by CPU time)");
    for (std::size_t i = 0; i < runners_.size(); ++i) {
        const std::vector<double> wall = values_of(samples_[i], &Sample::wall_s, unit_s_);
        const auto [smallest, largest] = std::minmax_element(wall.begin(), wall.end());
        std::printf("%-56s %9.3f %9.3f %9.3f %9.3f  ", runners_[i].name.c_str(), median(wall),
                    *smallest, *largest, median(values_of(samples_[i], &Sample::cpu_s, unit_s_)));
        for (const std::string& name : runners_[i].yardsticks) {
            if (const std::vector<Sample>* yardstick = find(name)) {
                std::printf(" %5.2f (%.2f) %s;",
                            times_as_fast(*yardstick, samples_[i], &Sample::wall_s),
                            times_as_fast(*yardstick, samples_[i], &Sample::cpu_s), name.c_str());
            }
        }
        std::printf("\n");
    }
    std::fflush(stdout);
}

std::string Race::json() const {
    std::string rows;
    for (std::size_t i = 0; i < runners_.size(); ++i) {
        rows += std::string(rows.empty() ? "" : ",") + "\n  {\"name\": \"" + runners_[i].name +
                "\", \"wall\": " + json_list(values_of(samples_[i], &Sample::wall_s, unit_s_)) +
                ", \"cpu\": " + json_list(values_of(samples_[i], &Sample::cpu_s, unit_s_)) + "}";
    }
    return std::string("{\"numbering\": \"") + numbering_name(numbering_) + "\", \"title\": \"" +
           title_ + "\", \"unit\": \"" + unit_ + "\", \"rows\": [" + rows + "]}";
}

void write_json(const Communicator& comm, const std::string& path,
                const std::vector<std::string>& races) {
    if (path.empty() || !comm.is_root()) {
        return;
    }
    std::string text = "[";
    for (const std::string& race : races) {
        text += (text.size() > 1 ? ",\n" : "") + race;
    }
    replace_file(path, text + "]\n");
}

void require_same_bits(std::string_view what, const std::vector<double>& expected,
                       const std::vector<double>& found) {
    validate<DiffersError>(expected.size() == found.size(),
                           std::string(what) + ": " + std::to_string(found.size()) +
                               " values instead of " + std::to_string(expected.size()) + ".");
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::bit_cast<std::uint64_t>(expected[i]) != std::bit_cast<std::uint64_t>(found[i])) {
            std::array<char, 96> text{};
            std::snprintf(text.data(), text.size(), ": value %zu is %.17g instead of %.17g.", i,
                          found[i], expected[i]);
            throw DiffersError(std::string(what) + text.data());
        }
    }
}

double relative_difference(const std::vector<double>& expected, const std::vector<double>& found) {
    double largest = 0.0;
    double difference = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::fabs(expected[i]));
        difference = std::max(difference, std::fabs(expected[i] - found[i]));
    }
    return difference / largest;
}

}  // namespace halocline::benchmarks
