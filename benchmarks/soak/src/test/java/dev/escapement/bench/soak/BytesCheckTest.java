package dev.escapement.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.escapement.bench.stress.trial.Check;
import org.junit.jupiter.api.Test;

class BytesCheckTest {

    private final Check check = new Check();
    private final BytesCheck bytes = new BytesCheck(check, "ticks");

    private void add(int ticks, long allocatedBytes) {
        for (int i = 0; i < ticks; i++) {
            bytes.add(allocatedBytes);
        }
    }

    @Test
    void shouldFindTicksThatGoOnAllocating() {
        add(149, 8);
        assertEquals(0, check.broken());
        add(1, 8);
        assertEquals(1, check.broken());
    }

    @Test
    void shouldAllowWhatEnds() {
        for (int i = 0; i < 5; i++) {
            add(110, 8); // until its code is compiled
            add(40, 0);
        }
        assertEquals(0, check.broken());
    }
}
