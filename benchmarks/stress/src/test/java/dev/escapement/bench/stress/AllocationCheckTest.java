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

    /** Frames that allocate nothing must not count as checks of a promise that is about ticks, too. */
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

    /**
     * Every sixth, seventh or tenth tick allocates. With every tenth, a group of fifty has five such ticks, which is allowed if they
     * allocate little.
     */
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
            add(156, 8); // as ticks do until their code is compiled
            add(44, 0);
        }
        assertEquals(0, check.broken());
    }
}
