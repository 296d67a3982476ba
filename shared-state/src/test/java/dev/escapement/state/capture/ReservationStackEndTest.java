package dev.escapement.state.capture;

import dev.escapement.state.StackEnd;
import dev.escapement.state.snapshot.BodyId;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reservation that the virtual machine ends with an error costs at most its slot. */
@Timeout(120)
class ReservationStackEndTest {

    /** Each in a machine of its own, which has linked nothing yet. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    void shouldGiveNoIdTwiceAndBlockNoThreadWhereTheStackEnds(String option) throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(ReservesAtStackEnd.class, option);
    }

    /**
     * Reserves at every depth of a stack, down to its end, where the call fails anywhere within, also where it has claimed an id that it
     * never returns. Each error may cost one slot; all others go round, and no id comes twice.
     */
    private static final class ReservesAtStackEnd implements Callable<String> {

        private static final int ROUNDS = 300;

        /** More than a queue has places, so that each round comes to where an earlier one has ended. */
        private static final int BODIES = 100;

        private final BodySlots slots = new BodySlots(BODIES, BodySlots.MAX_SLOTS, 0);
        private final Set<Long> given = new HashSet<>();
        private final long[] atTheEnd = new long[1];

        @Override
        public String call() throws InterruptedException {
            StackEnd stackEnd = new StackEnd(() -> atTheEnd[0] = slots.reserve());
            for (int round = 0; round < ROUNDS; round++) {
                slots.offerFree();
                stackEnd.reach(round);
                String wrong = use(atTheEnd[0]);
                for (int i = 1; i < BODIES && wrong.isEmpty(); i++) {
                    wrong = use(slots.reserve());
                }
                if (!wrong.isEmpty()) {
                    return "round " + round + ": " + wrong;
                }
                while (slots.liveCount() > 0) {
                    slots.despawn(slots.slotCount() - 1);
                }
            }
            int slotsForTwo = 2 * BODIES + stackEnd.errors(); // what is in use, and what waits
            return stackEnd.errors() < ROUNDS || slots.everUsed() > slotsForTwo
                    ? stackEnd.errors() + " calls failed, and " + slots.everUsed() + " slots were used"
                    : "";
        }

        private String use(long id) {
            if (!given.add(id) || !slots.isReserved(id)) {
                return BodyId.toString(id) + " was given before, or is not reserved";
            }
            slots.spawnAs(id);
            return "";
        }
    }
}
