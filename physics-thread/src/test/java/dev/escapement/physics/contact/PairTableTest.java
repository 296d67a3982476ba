package dev.escapement.physics.contact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PairTableTest {

    @Test
    void shouldHoldWhatAMapHolds() {
        Random random = new Random(4);
        PairTable table = new PairTable();
        Map<Long, Long> model = new HashMap<>();
        for (int round = 0; round < 100_000; round++) {
            long pair = ((long) random.nextInt(40) << Integer.SIZE) | random.nextInt(40);
            switch (random.nextInt(4)) {
                case 0 -> remove(table, model, random.nextInt(table.places()));
                case 1 -> {
                    if (random.nextInt(1000) == 0) {
                        table.clear();
                        model.clear();
                    }
                }
                default -> {
                    boolean known = table.see(pair, round);
                    assertThat(known).isEqualTo(model.containsKey(pair));
                    if (!known) {
                        table.add(pair, round);
                    }
                    model.put(pair, (long) round);
                }
            }
            if (round % 100 == 0) {
                assertThat(contents(table)).isEqualTo(model);
            }
        }
    }

    private static void remove(PairTable table, Map<Long, Long> model, int place) {
        if (table.pairAt(place) >= 0) {
            model.remove(table.pairAt(place));
            table.removeAt(place);
        }
    }

    private static Map<Long, Long> contents(PairTable table) {
        Map<Long, Long> contents = new HashMap<>();
        for (int place = 0; place < table.places(); place++) {
            if (table.pairAt(place) >= 0) {
                contents.put(table.pairAt(place), table.lastSeenAt(place));
            }
        }
        return contents;
    }
}
