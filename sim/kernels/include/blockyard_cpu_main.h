// A program for the CPU that launches kernels on buffers from a file and writes the buffers back.
// A driver is the kernels and one line:
//
//     #include "vecadd.cu"
//     #include "blockyard_cpu_main.h"
//     BLOCKYARD_CPU_MAIN(vecadd)
//
// It is run as `driver INPUT OUTPUT`, so that what kernels print is all there is on stdout. Exit
// status 2 and a line on stderr say what is wrong with the input. Numbers are little-endian,
// nothing is padded:
//
//     input     8 bytes  "BYCPU001"
//               u32      seed of the order of blocks and threads; 0: ascending
//               u32      buffers, then of each
//                  u64      bytes
//                           its contents
//               u32      launches, run one after the other with all that they launch, then of each
//                  u32      bytes of the kernel's name, then the name
//                  u32 x 3  grid
//                  u32 x 3  block, 1 to 1024 threads
//                  u32      arguments, as many as parameters, then of each
//                     u32      kind: 0 a value, 1 a place in a buffer
//                     u32      bytes: the parameter's size; 12 of a place
//                              the value, or u32 the buffer and u64 the offset in it
//     output    u32      buffers, then of each u64 bytes and its contents
//
// A grid without blocks runs nothing. Buffers begin at multiples of 256 bytes.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <tuple>

// Defines what kernels declare as `extern __shared__ type name[]`, with room for `bytes`.
#define BLOCKYARD_CPU_DYNAMIC_SHARED(type, name, bytes)                                            \
    thread_local type name[((bytes) + sizeof(type) - 1) / sizeof(type)];

namespace blockyard_cpu {

[[noreturn]] inline void refuse(const std::string &why) {
    fprintf(stderr, "blockyard_cpu: %s\n", why.c_str());
    exit(2);
}

class Input {
  public:
    explicit Input(const char *path) {
        std::ifstream file(path, std::ios::binary);
        if (!file) refuse(std::string("cannot read ") + path);
        bytes.assign(std::istreambuf_iterator<char>(file), {});
    }
    const char *take(uint64_t count) {
        if (count > bytes.size() - at) refuse("the input ends too early");
        at += count;
        return bytes.data() + at - count;
    }
    template <class T> T number() {
        T value;
        memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    std::string text(uint32_t count) { return std::string(take(count), count); }
    void end() const {
        if (at != bytes.size()) refuse("the input goes on behind its end");
    }

  private:
    std::vector<char> bytes;
    size_t at = 0;
};

class Buffer {
  public:
    explicit Buffer(Input &input) : size(input.number<uint64_t>()) {
        const char *contents = input.take(size);
        memory.reset(static_cast<char *>(aligned_alloc(256, (size + 256) / 256 * 256)));
        memcpy(memory.get(), contents, size);
    }
    uint64_t size;
    char *begin() const { return memory.get(); }

  private:
    struct Free {
        void operator()(char *memory) const { free(memory); }
    };
    std::unique_ptr<char, Free> memory;
};

// Reads the next argument of a launch as the parameter T.
template <class T> T argument(Input &input, const std::vector<Buffer> &buffers) {
    uint32_t kind = input.number<uint32_t>(), bytes = input.number<uint32_t>();
    T value;
    if (kind == 0) {
        if (bytes != sizeof value) refuse("an argument has not the size of its parameter");
        memcpy(&value, input.take(bytes), sizeof value);
        return value;
    }
    if (kind != 1 || bytes != 12) refuse("an argument is neither a value nor a place");
    uint32_t buffer = input.number<uint32_t>();
    uint64_t offset = input.number<uint64_t>();
    if (buffer >= buffers.size() || offset > buffers[buffer].size) refuse("there is no such place");
    if constexpr (std::is_pointer<T>::value)
        return reinterpret_cast<T>(buffers[buffer].begin() + offset);
    refuse("a place is given for a parameter that is no pointer");
}

template <class... Parameters>
void launch_from(Input &input, const std::vector<Buffer> &buffers, dim3 grid, dim3 block,
                 void (*kernel)(Parameters...)) {
    if (input.number<uint32_t>() != sizeof...(Parameters))
        refuse("a kernel has more or fewer arguments");
    // Braces read from the first to the last.
    std::tuple<Parameters...> values{argument<Parameters>(input, buffers)...};
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
    std::apply([&](auto... all) { blockyard_cpu_launch(kernel, grid, block, all...); }, values);
}

// `names` as BLOCKYARD_CPU_MAIN was given them, with commas.
template <class... Kernels>
int main_of(int count, char **paths, std::string names, Kernels... kernels) {
    if (count != 3) refuse("usage: driver INPUT OUTPUT");
    Input input(paths[1]);
    if (input.text(8) != "BYCPU001") refuse("the input is none");
    shuffle(input.number<uint32_t>());
    std::vector<Buffer> buffers;
    for (uint32_t left = input.number<uint32_t>(); left > 0; left--) buffers.emplace_back(input);
    names.erase(std::remove(names.begin(), names.end(), ' '), names.end());
    for (uint32_t left = input.number<uint32_t>(); left > 0; left--) {
        std::string name = input.text(input.number<uint32_t>());
        uint32_t extents[6];
        for (uint32_t &extent : extents) extent = input.number<uint32_t>();
        dim3 grid(extents[0], extents[1], extents[2]), block(extents[3], extents[4], extents[5]);
        uint64_t threads = uint64_t(block.x) * block.y;
        if (block.x > 1024 || block.y > 1024 || threads * block.z < 1 || threads * block.z > 1024)
            refuse("a block has 1 to 1024 threads");
        bool found = false;
        size_t begin = 0;
        auto try_one = [&](auto kernel) {
            size_t end = std::min(names.find(',', begin), names.size());
            if (!found && name == names.substr(begin, end - begin)) {
                found = true;
                launch_from(input, buffers, grid, block, kernel);
            }
            begin = end + 1;
        };
        (try_one(kernels), ...);
        if (!found) refuse("there is no kernel " + name);
    }
    input.end();
    std::ofstream output(paths[2], std::ios::binary);
    auto write = [&](const void *from, uint64_t bytes) {
        output.write(static_cast<const char *>(from), std::streamsize(bytes));
    };
    uint32_t all = uint32_t(buffers.size());
    write(&all, sizeof all);
    for (const Buffer &buffer : buffers) {
        write(&buffer.size, sizeof buffer.size);
        write(buffer.begin(), buffer.size);
    }
    output.close();
    if (!output) refuse(std::string("cannot write ") + paths[2]);
    return 0;
}

} // namespace blockyard_cpu

#define BLOCKYARD_CPU_MAIN(...)                                                                    \
    int main(int count, char **paths) {                                                            \
        return blockyard_cpu::main_of(count, paths, #__VA_ARGS__, __VA_ARGS__);                    \
    }
