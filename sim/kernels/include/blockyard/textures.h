// Textures by handle, which the host binds to a parameter: arrays of words of 32 bits.
#pragma once

typedef unsigned long long cudaTextureObject_t;

namespace blockyard {

// The four channels at a place, by what they are of; `x`, `y` and `z` are whole or floats.
template <class Scalar> struct Channels;

#define BLOCKYARD_FETCH(vector, name, parameters, geometry, types, result, at, ...)                \
    static __device__ __forceinline__ vector name(cudaTextureObject_t texture, parameters) {       \
        vector found;                                                                              \
        __asm__("tex." geometry ".v4." types " {%0, %1, %2, %3}, [%4, " at "];"                    \
                : result(found.x), result(found.y), result(found.z), result(found.w)               \
                : "l"(texture), __VA_ARGS__);                                                      \
        return found;                                                                              \
    }
#define BLOCKYARD_AND ,
#define BLOCKYARD_CHANNELS(scalar, vector, type, result)                                           \
    template <> struct Channels<scalar> {                                                          \
        BLOCKYARD_FETCH(vector, element, int x, "1d", type ".s32", result, "{%5}", "r"(x))         \
        BLOCKYARD_FETCH(vector, line, float x, "1d", type ".f32", result, "{%5}", "f"(x))          \
        BLOCKYARD_FETCH(vector, plane, float x BLOCKYARD_AND float y, "2d", type ".f32", result,   \
                        "{%5, %6}", "f"(x), "f"(y))                                                \
        BLOCKYARD_FETCH(vector, space, float x BLOCKYARD_AND float y BLOCKYARD_AND float z, "3d",  \
                        type ".f32", result, "{%5, %6, %7, %7}", "f"(x), "f"(y), "f"(z))           \
        BLOCKYARD_FETCH(vector, lines, float x BLOCKYARD_AND int layer, "a1d", type ".f32",        \
                        result, "{%6, %5}", "f"(x), "r"(layer))                                    \
        BLOCKYARD_FETCH(vector, planes, float x BLOCKYARD_AND float y BLOCKYARD_AND int layer,     \
                        "a2d", type ".f32", result, "{%7, %5, %6, %6}", "f"(x), "f"(y),            \
                        "r"(layer))                                                                \
    };
BLOCKYARD_CHANNELS(float, float4, "f32", "=f")
BLOCKYARD_CHANNELS(int, int4, "s32", "=r")
BLOCKYARD_CHANNELS(unsigned, uint4, "u32", "=r")
#undef BLOCKYARD_CHANNELS
#undef BLOCKYARD_AND
#undef BLOCKYARD_FETCH

// Which channels a kernel's type takes.
template <class T> struct Texel;

#define BLOCKYARD_TEXEL(type, scalar, vector, ...)                                                 \
    template <> struct Texel<type> : Channels<scalar> {                                            \
        static __device__ __forceinline__ type of(vector found) { return __VA_ARGS__; }            \
    };
#define BLOCKYARD_TEXELS(scalar, name)                                                             \
    BLOCKYARD_TEXEL(scalar, scalar, name##4, found.x)                                              \
    BLOCKYARD_TEXEL(name##1, scalar, name##4, {found.x})                                           \
    BLOCKYARD_TEXEL(name##2, scalar, name##4, {found.x, found.y})                                  \
    BLOCKYARD_TEXEL(name##4, scalar, name##4, found)
BLOCKYARD_TEXELS(float, float)
BLOCKYARD_TEXELS(int, int)
BLOCKYARD_TEXELS(unsigned, uint)
#undef BLOCKYARD_TEXELS
#undef BLOCKYARD_TEXEL

} // namespace blockyard

#define BLOCKYARD_TEXTURE(name, parameters, fetch)                                                 \
    template <class T> BLOCKYARD_FUNCTION T name parameters {                                      \
        return blockyard::Texel<T>::of(blockyard::Texel<T>::fetch);                                \
    }
BLOCKYARD_TEXTURE(tex1Dfetch, (cudaTextureObject_t texture, int x), element(texture, x))
BLOCKYARD_TEXTURE(tex1D, (cudaTextureObject_t texture, float x), line(texture, x))
BLOCKYARD_TEXTURE(tex2D, (cudaTextureObject_t texture, float x, float y), plane(texture, x, y))
BLOCKYARD_TEXTURE(tex3D, (cudaTextureObject_t texture, float x, float y, float z),
                  space(texture, x, y, z))
BLOCKYARD_TEXTURE(tex1DLayered, (cudaTextureObject_t texture, float x, int layer),
                  lines(texture, x, layer))
BLOCKYARD_TEXTURE(tex2DLayered, (cudaTextureObject_t texture, float x, float y, int layer),
                  planes(texture, x, y, layer))
#undef BLOCKYARD_TEXTURE
