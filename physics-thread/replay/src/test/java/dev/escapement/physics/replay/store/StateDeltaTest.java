package dev.escapement.physics.replay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.restore.StateBuffer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Deltas store the differing bytes only, also if all later bytes have shifted. */
class StateDeltaTest {

    private final SplittableRandom random = new SplittableRandom(7);

    private byte[] random(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Encodes and decodes, with the base at another place each time. Returns the size of the delta. */
    private int roundTrip(byte[] base, byte[] state) {
        byte[] holder = new byte[base.length + 13];
        System.arraycopy(base, 0, holder, 5, base.length);
        StateBuffer of = StateBuffer.unsealed(state);
        byte[] to = new byte[3 + StateDelta.most(of)];
        int size = StateDelta.encode(holder, 5, base.length, of, to, 3) - 3;
        ByteBuffer encoded = ByteBuffer.wrap(to, 3, size);
        byte[] moved = new byte[base.length + 1];
        System.arraycopy(base, 0, moved, 1, base.length);
        assertThat(StateDelta.decode(moved, 1, encoded)).isEqualTo(state);
        assertThat(encoded.hasRemaining()).isFalse();
        return size;
    }

    @Test
    void shouldTakeAFewBytesForAnEqualState() {
        byte[] base = random(100_000);
        assertThat(roundTrip(base, base.clone())).isLessThan(12);
    }

    @Test
    void shouldTakeLittleMoreThanTheChangedBytes() {
        byte[] base = random(100_000);
        byte[] state = base.clone();
        for (int change = 0; change < 20; change++) {
            random(40);
            System.arraycopy(random(40), 0, state, 5000 * change, 40);
        }
        assertThat(roundTrip(base, state)).isLessThan(20 * (40 + 9));
    }

    @Test
    void shouldNotStoreUnchangedUpperBytes() {
        byte[] base = random(80_000);
        byte[] state = base.clone();
        for (int number = 0; number < base.length; number += Integer.BYTES) {
            state[number] ^= 1;
            state[number + 1] ^= 1; // little-endian: its two lower bytes
        }
        assertThat(roundTrip(base, state)).isLessThan(base.length / 2 + base.length / 8 + 12);
    }

    @Test
    void shouldTakeAStateThatDiffersEverywhereAsItIs() {
        byte[] base = random(80_000);
        assertThat(roundTrip(base, random(base.length)))
                .as("after a first kilobyte")
                .isLessThan(base.length + 128 + 12);
    }

    @Test
    void shouldFindWhatHasShifted() {
        byte[] base = random(100_000);
        byte[] state = new byte[base.length + 60 - 33];
        System.arraycopy(base, 0, state, 0, 1000);
        System.arraycopy(random(60), 0, state, 1000, 60); // 60 bytes were inserted
        System.arraycopy(base, 1000, state, 1060, 49_000);
        System.arraycopy(base, 50_033, state, 50_060, base.length - 50_033); // 33 bytes were removed
        assertThat(roundTrip(base, state)).isLessThan(60 + 33 + 450); // each shift is found some words later
    }

    /** Changes a state like contacts do: numbers change in their lower bytes, and groups of them appear and disappear. */
    private byte[] changed(byte[] base) {
        ByteArrayOutputStream state = new ByteArrayOutputStream();
        for (int at = 0; at < base.length; ) {
            int chance = random.nextInt(60);
            if (chance == 0) {
                state.writeBytes(random(random.nextInt(80)));
            } else if (chance == 1) {
                at += random.nextInt(80);
            } else {
                for (int end = Math.min(base.length, at + 4), changes = at + chance % 4; at < end; at++) {
                    state.write(base[at] ^ (at < changes ? random.nextInt(256) : 0));
                }
            }
        }
        return state.toByteArray();
    }

    @Test
    void shouldDecodeAnyStateAgainstAnyBase() {
        for (int round = 0; round < 2000; round++) {
            byte[] base = random(random.nextInt(round % 2 == 0 ? 200 : 3000));
            byte[] state = random(random.nextInt(200));
            for (int piece = random.nextInt(4); piece > 0 && base.length > 0 && state.length > 0; piece--) {
                int from = random.nextInt(base.length);
                int to = random.nextInt(state.length);
                System.arraycopy(base, from, state, to, Math.min(base.length - from, state.length - to));
            }
            roundTrip(base, state);
            roundTrip(base, changed(base));
            roundTrip(base, random(random.nextInt(300)));
        }
    }
}
