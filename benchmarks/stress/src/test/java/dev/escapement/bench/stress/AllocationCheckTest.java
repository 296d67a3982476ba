package dev.escapement.bench.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.escapement.bench.stress.AllocationCheck.Fifties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocationCheckTest {

    private final Check check = new Check();
    private final Fifties bytes = new Fifties(check, true, "ticks");

    private void add(int ticks, long allocatedBytes) {
        for (int i = 0; i < ticks; i++) {
            bytes.add(allocatedBytes);
        }
    }

    @Test
    void shouldFindTicksThatGoOnAllocating() {
        add(199, 8);
        assertEquals(0, check.broken());
        add(1, 8);
        assertEquals(1, check.broken());
    }

    /** Judges only frames, so the check must not claim to know the allocations of ticks. */
    @Test
    void shouldCountFramesOnlyIfTheyAllocate() {
        Fifties frames = new Fifties(check, false, "frames");
        for (int frame = 0; frame < 50; frame++) {
            frames.add(0);
        }
        assertEquals(0, check.checked());
        for (int frame = 0; frame < 200; frame++) {
            frames.add(8);
        }
        assertEquals(1, check.broken());
    }

    /** Some ticks of any run allocate: up to ten of fifty ticks in one or two groups, and one or two ticks in the other groups. */
    @ParameterizedTest
    @CsvSource({"6, 8, true", "7, 8, true", "10, 8, false", "10, 20000, false", "10, 40000, true"})
    void shouldFindTicksThatAllocateOftenOrMuch(int every, long size, boolean isFound) {
        for (int tick = 0; tick < 1_000; tick++) {
            add(1, tick % every == 0 ? size : 0);
        }
        assertEquals(isFound, check.broken() > 0);
    }

    @Test
    void shouldAllowWhatEnds() {
        for (int i = 0; i < 5; i++) {
            add(156, 8); // until the code is compiled
            add(44, 0);
        }
        assertEquals(0, check.broken());
    }
}
