/* Two-arm UCB by hand: what a core with AVX-512 can do, for benchmarks/engine.py to compare with.

   The same work as the engine's: Philox4x32-10 and Box-Muller once for all cells, rewards once for
   all settings of a simulator, then every cell decides and updates sixteen replications at a time,
   four settings abreast, in blocks of rounds that stay in the nearest cache. The engine refines its
   reciprocal roots by a step of Newton; the floor takes the machine's estimate as it is. */
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define BLOCK 64
#define ABREAST 4
typedef __m512 F;
typedef __m512i I;
#define SET(x) _mm512_set1_ps((float)(x))
#define FMA _mm512_fmadd_ps
#define MUL _mm512_mul_ps
#define ADD _mm512_add_ps

static inline void product(I value, uint32_t factor, I *high, I *low) {
    I even = _mm512_mul_epu32(value, _mm512_set1_epi64(factor));
    I odd = _mm512_mul_epu32(_mm512_srli_epi64(value, 32), _mm512_set1_epi64(factor));
    *high = _mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xAAAA, odd);
    *low = _mm512_mask_mov_epi32(even, 0xAAAA, _mm512_slli_epi64(odd, 32));
}

static inline void philox(uint32_t block, I lanes, const uint32_t *key, I *word) {
    I c0 = _mm512_set1_epi32(block), c1 = lanes, c2 = _mm512_setzero_si512(), c3 = c2;
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        I h0, l0, h1, l1;
        product(c0, 0xD2511F53u, &h0, &l0);
        product(c2, 0xCD9E8D57u, &h1, &l1);
        c0 = _mm512_xor_si512(_mm512_xor_si512(h1, c1), _mm512_set1_epi32(k0));
        c2 = _mm512_xor_si512(_mm512_xor_si512(h0, c3), _mm512_set1_epi32(k1));
        c1 = l1, c3 = l0;
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    word[0] = c0, word[1] = c1, word[2] = c2, word[3] = c3;
}

static inline F uniform(I word) {
    return FMA(_mm512_cvtepi32_ps(_mm512_srli_epi32(word, 9)), SET(0x1p-23), SET(0x1p-24));
}

/* log x = e log 2 + 2 atanh((m - 1) / (m + 1)) with x = m 2^e and m within a root of two of 1 */
static inline F logarithm(F x) {
    F m = _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
    F e = _mm512_getexp_ps(_mm512_div_ps(x, m));
    F s = _mm512_div_ps(_mm512_sub_ps(m, SET(1)), ADD(m, SET(1))), z = MUL(s, s);
    F y = FMA(z, FMA(z, FMA(z, SET(2.0 / 7), SET(2.0 / 5)), SET(2.0 / 3)), SET(2));
    return FMA(e, SET(M_LN2), MUL(s, y));
}

/* sine and cosine of a turn, by Taylor's sums on an eighth of it either way */
static inline void turn(F part, F *sine, F *cosine) {
    F quarter = _mm512_roundscale_ps(MUL(part, SET(4)), 0);
    F x = MUL(_mm512_fnmadd_ps(quarter, SET(0.25), part), SET(2 * M_PI)), z = MUL(x, x);
    F s = FMA(z, FMA(z, FMA(z, SET(-1.0 / 5040), SET(1.0 / 120)), SET(-1.0 / 6)), SET(1));
    F c = FMA(z, FMA(z, FMA(z, SET(1.0 / 40320), SET(-1.0 / 720)), SET(1.0 / 24)), SET(-0.5));
    I q = _mm512_cvtps_epi32(quarter), one = _mm512_set1_epi32(1), two = _mm512_set1_epi32(2);
    s = MUL(s, x), c = FMA(c, z, SET(1));
    __mmask16 swap = _mm512_test_epi32_mask(q, one);
    __mmask16 down = _mm512_test_epi32_mask(q, two);
    __mmask16 left = _mm512_test_epi32_mask(_mm512_add_epi32(q, one), two);
    *sine = _mm512_mask_mov_ps(s, swap, c), *cosine = _mm512_mask_mov_ps(c, swap, s);
    *sine = _mm512_mask_sub_ps(*sine, down, SET(0), *sine);
    *cosine = _mm512_mask_sub_ps(*cosine, left, SET(0), *cosine);
}

/* sixteen replications, their draws of rounds first to first + count, [round][arm] */
static void draw(F *draws, int first, int count, I lanes, const uint32_t *key) {
    for (int r = 0; r < count; r += 2) {
        I word[4];
        philox((first + r) / 2, lanes, key, word);
        for (int i = 0; i < 2; i++) {
            F radius = _mm512_sqrt_ps(MUL(SET(-2), logarithm(uniform(word[2 * i]))));
            F sine, cosine;
            turn(uniform(word[2 * i + 1]), &sine, &cosine);
            draws[2 * (r + i)] = MUL(radius, cosine);
            draws[2 * (r + i) + 1] = MUL(radius, sine);
        }
    }
}

typedef struct { F pulls, total0, total1, root0, root1; } Cell;

static void play(Cell *cell, const float *const *width, const F *paid, int first, int count) {
    Cell c[ABREAST];
    for (int j = 0; j < ABREAST; j++) c[j] = cell[j];
    for (int r = 0; r < count; r++) {
        F x0 = paid[2 * r], x1 = paid[2 * r + 1], before = SET(first + r);
#pragma GCC unroll 4
        for (int j = 0; j < ABREAST; j++) {
            F b = SET(width[j][r]);
            F index0 = MUL(c[j].root0, FMA(c[j].total0, c[j].root0, b));
            F index1 = MUL(c[j].root1, FMA(c[j].total1, c[j].root1, b));
            __mmask16 zero = _mm512_cmp_ps_mask(index0, index1, _CMP_GE_OQ);
            if (first + r < 2) zero = first + r ? 0 : 0xFFFF;
            F other = _mm512_sub_ps(before, c[j].pulls);
            F pulled = ADD(_mm512_mask_mov_ps(other, zero, c[j].pulls), SET(1));
            F root = _mm512_rsqrt14_ps(pulled);
            c[j].pulls = _mm512_mask_mov_ps(c[j].pulls, zero, pulled);
            c[j].root0 = _mm512_mask_mov_ps(c[j].root0, zero, root);
            c[j].root1 = _mm512_mask_mov_ps(root, zero, c[j].root1);
            c[j].total0 = _mm512_mask_add_ps(c[j].total0, zero, c[j].total0, x0);
            c[j].total1 = _mm512_mask_add_ps(c[j].total1, _knot_mask16(zero), c[j].total1, x1);
        }
    }
    for (int j = 0; j < ABREAST; j++) cell[j] = c[j];
}

/* pulls of arm 0, [simulator][setting][replication]; settings and replications come in fours and
   sixteens, the horizon is even */
void floor_play(const float *gaps, const float *sds, int simulators, const double *thetas,
                int settings, int horizon, int replications, const uint32_t *key, float *pulls) {
    float *widths = malloc(sizeof(float) * settings * horizon);
    Cell *cells = aligned_alloc(64, sizeof(Cell) * simulators * settings);
    F draws[2 * BLOCK], paid[2 * BLOCK];
    for (int s = 0; s < settings; s++)
        for (int t = 0; t < horizon; t++)
            widths[s * horizon + t] = sqrtf(2.0f * (float)thetas[s] * logf(t + 1.0f));
    for (int lane = 0; lane < replications; lane += 16) {
        I lanes = _mm512_add_epi32(_mm512_set1_epi32(lane), _mm512_set_epi32(
            15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
        for (int c = 0; c < simulators * settings; c++) cells[c] = (Cell){0};
        for (int first = 0; first < horizon; first += BLOCK) {
            int count = horizon - first < BLOCK ? horizon - first : BLOCK;
            draw(draws, first, count, lanes, key);
            for (int m = 0; m < simulators; m++) {
                for (int r = 0; r < count; r++) {
                    paid[2 * r] = FMA(SET(sds[m]), draws[2 * r], SET(0.5f * gaps[m]));
                    paid[2 * r + 1] = FMA(SET(sds[m]), draws[2 * r + 1], SET(-0.5f * gaps[m]));
                }
                for (int s = 0; s < settings; s += ABREAST) {
                    const float *width[ABREAST];
                    for (int j = 0; j < ABREAST; j++) width[j] = widths + (s + j) * horizon + first;
                    play(cells + m * settings + s, width, paid, first, count);
                }
            }
        }
        for (int c = 0; c < simulators * settings; c++)
            _mm512_storeu_ps(pulls + (size_t)c * replications + lane, cells[c].pulls);
    }
    free(widths), free(cells);
}
