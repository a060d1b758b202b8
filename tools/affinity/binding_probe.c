// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into the ranks of a running command: writes where each really runs, at its start and
// its end. Knows nothing of MPI; uses nothing but the C library.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Value of a line such as `Cpus_allowed_list:	0-3` of a status file.
static void print_mask(FILE* out, const char* key, const char* status_path) {
    FILE* status = fopen(status_path, "r");
    char line[4096];
    const char* wanted = "Cpus_allowed_list:";
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, wanted, strlen(wanted)) == 0) {
            const char* value = line + strlen(wanted);
            fprintf(out, "%s=%s", key, value + strspn(value, " \t"));
        }
    }
    if (status != NULL) {
        fclose(status);
    }
}

static void print_threads(FILE* out) {
    DIR* tasks = opendir("/proc/self/task");
    for (struct dirent* task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
        if (task->d_name[0] != '.') {
            char path[320];
            snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
            print_mask(out, "thread", path);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
}

/// Device files of NVIDIA GPUs that are open: /dev/nvidia0 and so on.
static void print_gpus(FILE* out) {
    DIR* files = opendir("/proc/self/fd");
    for (struct dirent* file; files != NULL && (file = readdir(files)) != NULL;) {
        char link[320];
        char target[256];
        snprintf(link, sizeof link, "/proc/self/fd/%s", file->d_name);
        const ssize_t length = readlink(link, target, sizeof target - 1);
        if (length > 0) {
            target[length] = '\0';
            int minor = 0;
            if (sscanf(target, "/dev/nvidia%d", &minor) == 1) {
                fprintf(out, "gpu_minor=%d\n", minor);
            }
        }
    }
    if (files != NULL) {
        closedir(files);
    }
}

static const char* first_set(const char* const* names) {
    for (; *names != NULL; ++names) {
        const char* value = getenv(*names);
        if (value != NULL && *value != '\0') {
            return value;
        }
    }
    return NULL;
}

static const char* rank_of_job(void) {
    static const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK",     "PMIX_RANK",
                                        "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", NULL};
    return first_set(names);
}

static void report(const char* moment) {
    const char* folder = getenv("HALOCLINE_BINDING_DIR");
    const char* rank = rank_of_job();
    if (folder == NULL || rank == NULL) {
        return;
    }
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%d.%s", folder, host, (int)getpid(), moment);
    FILE* out = fopen(path, "w");
    if (out == NULL) {
        return;
    }
    fprintf(out, "rank=%s\nhost=%s\npid=%d\nprogram=%s\n", rank, host, (int)getpid(),
            program_invocation_short_name);
    fprintf(out, "mpi=%d\n", dlsym(RTLD_DEFAULT, "MPI_Init") != NULL);
    const char* visible = getenv("CUDA_VISIBLE_DEVICES");
    if (visible != NULL) {
        fprintf(out, "visible=%s\n", visible);
    }
    print_mask(out, "cpus", "/proc/self/status");
    print_threads(out);
    print_gpus(out);
    fclose(out);
}

__attribute__((constructor)) static void report_start(void) { report("start"); }

__attribute__((destructor)) static void report_end(void) { report("end"); }
