// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One setting, point or candidate a line; words are separated by blanks.
#include "job.hpp"

#include <sstream>
#include <stdexcept>

namespace halocline::tune_bench {

namespace {

[[noreturn]] void refuse(const std::string& line) {
    throw std::runtime_error("job file: cannot read the line '" + line + "'. Use halocline tune.");
}

Assignment parse_assignment(const std::string& word, const std::string& line) {
    const auto place = word.find('=');
    if (place == std::string::npos) {
        refuse(line);
    }
    try {
        return {word.substr(0, place), std::stoi(word.substr(place + 1))};
    } catch (const std::logic_error&) {
        refuse(line);
    }
}

void parse_candidate(std::istringstream& words, const std::string& line, Job& job) {
    Candidate candidate;
    words >> candidate.name;
    if (words.fail() || job.points.empty()) {
        refuse(line);
    }
    for (std::string word; words >> word;) {
        candidate.assignments.push_back(parse_assignment(word, line));
    }
    job.points.back().candidates.push_back(candidate);
}

void parse_line(const std::string& line, Job& job) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "candidate") {
        parse_candidate(words, line, job);
        return;
    }
    if (key == "rounds") {
        words >> job.rounds;
    } else if (key == "sample_ns") {
        words >> job.sample_ns;
    } else if (key == "give_up") {
        words >> job.give_up;
    } else if (key == "seed") {
        words >> job.seed;
    } else if (key == "point") {
        Point point;
        words >> point.name >> point.function >> point.members >> point.bytes;
        job.points.push_back(point);
    } else {
        refuse(line);
    }
    if (words.fail()) {
        refuse(line);
    }
}

}  // namespace

Job parse_job(const std::string& text) {
    Job job;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) {
            parse_line(line, job);
        }
    }
    return job;
}

}  // namespace halocline::tune_bench
