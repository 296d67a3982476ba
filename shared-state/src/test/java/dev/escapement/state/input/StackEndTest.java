package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.lmax.disruptor.InsufficientCapacityException;
import dev.escapement.state.StackEnd;
import dev.escapement.state.time.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An offer that fails between its claim and its publish delays no other thread. */
@Timeout(120)
class StackEndTest {

    private final InputRing ring = new InputRing(4, new ManualClock(0));
    private final InputSampler sampler = new InputSampler(ring);
    private int next;

    @Test
    void shouldLoseNothingWhereTheStackEnds() throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(OffersAtStackEnd.class);
    }

    @Test
    void shouldPassPlacesThatWereAbandonedInEveryLap() throws Exception {
        for (int lap = 0; lap < 3; lap++) {
            abandon(claim());
            offer();
            abandon(claim());
            abandon(claim());
            assertThat(codes()).containsExactly(lap);
        }
        assertThat(ring.accepted()).isEqualTo(3);
        assertThat(ring.rejected()).isEqualTo(9);
        assertThat(ring.waiting()).isZero();
        assertThat(sampler.taken()).isEqualTo(3);
    }

    @Test
    void shouldStillWaitForAProducerThatIsOnlySuspended() throws Exception {
        abandon(claim());
        long suspended = claim();
        offer();
        assertThat(codes()).isEmpty();
        assertThat(ring.accepted()).as("that being written included").isEqualTo(2);
        publish(suspended, 7);
        assertThat(codes()).containsExactly(7, 0);
    }

    @Test
    void shouldTakeWhatWasPublishedBeforeItsOfferThrew() throws Exception {
        long late = claim();
        publish(late, 7);
        abandon(late);
        assertThat(codes()).containsExactly(7);
        assertThat(ring.accepted()).isEqualTo(1);
        assertThat(ring.rejected()).isZero();
    }

    private void offer() {
        assertThat(ring.offer(0, InputKind.APPLICATION, next++, 0, 0)).isTrue();
    }

    /** The first step of an offer. {@code publish} and {@code abandon} end it, for errors that no test can cause at that place. */
    private long claim() throws InsufficientCapacityException {
        return ring.places().ring.tryNext();
    }

    private void publish(long sequence, int code) {
        ring.places().ring.get(sequence).set(0, 0, InputKind.APPLICATION, code, 0, 0);
        ring.places().ring.publish(sequence);
    }

    private void abandon(long sequence) {
        ring.places().ring.get(sequence).abandoned = sequence;
    }

    private List<Integer> codes() {
        List<Integer> codes = new ArrayList<>();
        InputFrame frame = sampler.sample(0, 0);
        for (int i = 0; i < frame.size(); i++) {
            codes.add(frame.event(i).code());
        }
        return codes;
    }

    /** Offers events from the end of a stack upwards until one has room. Every accepted event must arrive, and the counts must agree. */
    private static final class OffersAtStackEnd implements Callable<String> {

        private static final int ROUNDS = 200;

        private final InputRing ring = new InputRing(1 << 14, new ManualClock(0));
        private final InputSampler sampler = new InputSampler(ring);
        private final Set<Integer> accepted = new HashSet<>();
        private int offers;
        private int arrived;

        @Override
        public String call() throws InterruptedException {
            StackEnd stackEnd = new StackEnd(this::offer);
            for (int round = 0; round < ROUNDS; round++) {
                stackEnd.reach(round);
                InputFrame frame = sampler.sample(0, 0);
                for (int i = 0; i < frame.size(); i++) {
                    accepted.remove(frame.event(i).code());
                }
                arrived += frame.size();
                if (!accepted.isEmpty() || ring.accepted() != arrived || ring.waiting() != 0) {
                    return "round " + round + " lost " + accepted + ", accepted " + ring.accepted() + ", arrived "
                            + arrived + ", waiting " + ring.waiting();
                }
            }
            return stackEnd.errors() < ROUNDS ? "only " + stackEnd.errors() + " offers failed" : "";
        }

        private void offer() {
            int code = offers++;
            if (ring.offer(0, InputKind.APPLICATION, code, 0, 0)) {
                accepted.add(code);
            }
        }
    }
}
