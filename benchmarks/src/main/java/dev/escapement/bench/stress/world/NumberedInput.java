package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A producer whose events carry consecutive numbers, so that one that is lost, doubled or moved shows: checks {@link Promise#INPUT_ONCE}. */
public final class NumberedInput {

    private static final TickRate PER_SECOND = TickRate.hertz(500);
    private static final long LOOK_NANOS = 1_000_000;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int FEWEST = 10;

    private final Trial trial;
    private final Check once;

    // Written by the producer, release, after the event was accepted; whoever waits for all to arrive reads it,
    // acquire.
    private final AtomicLong accepted = new AtomicLong();

    // The number of the newest event that arrived. Written by the physics thread, release, after it was checked; read
    // as above.
    private final AtomicLong arrived = new AtomicLong();

    /** Reports to the trial. */
    public NumberedInput(Trial trial) {
        this.trial = trial;
        once = trial.check(Promise.INPUT_ONCE);
    }

    /** Physics thread: what a tick was given. */
    public void arrived(InputFrame frame) {
        for (int i = 0; i < frame.size(); i++) {
            int number = frame.event(i).code();
            long expected = arrived.getPlain() + 1;
            once.that(number == (int) expected, () -> "event " + number + " where " + (int) expected + " was to come");
            // After a gap it goes on behind it, so that one lost event is one fault.
            arrived.setRelease(expected + Math.max(-1, number - (int) expected));
        }
    }

    /** Offers events until closed; then waits until all that were accepted have arrived. */
    public Offering offerTo(InputRing ring) {
        return new Offering(Worker.start("stress-input", self -> offer(self, ring)));
    }

    private void offer(Worker self, InputRing ring) {
        Pacer pacer = Pacer.system();
        long originNanos = System.nanoTime();
        for (long event = 1; self.goesOn(); event++) {
            pacer.awaitUntil(originNanos + PER_SECOND.nanosAt(event));
            int number = (int) (accepted.getPlain() + 1);
            boolean lost = trial.isPlanted(Promise.INPUT_ONCE) && number == FEWEST / 2;
            if (lost || ring.offer(System.nanoTime(), InputKind.APPLICATION, number, 0, 0)) {
                accepted.setRelease(accepted.getPlain() + 1);
            }
        }
    }

    /** A thread that offers. */
    public final class Offering implements AutoCloseable {

        private final Worker producer;

        private Offering(Worker producer) {
            this.producer = producer;
        }

        /**
         * Ends the producer while ticks go on, and checks that all arrives.
         *
         * @throws IllegalStateException if the producer threw, or does not end
         */
        @Override
        public void close() {
            awaitOrGiveUp(accepted, FEWEST);
            producer.close();
            long offered = accepted.getAcquire();
            awaitOrGiveUp(arrived, offered);
            once.that(
                    arrived.getAcquire() == offered,
                    () -> arrived.getAcquire() + " events arrived of " + offered + " that were accepted");
        }

        private static void awaitOrGiveUp(AtomicLong count, long atLeast) {
            long giveUpNanos = System.nanoTime() + PATIENCE_NANOS;
            while (count.getAcquire() < atLeast && System.nanoTime() - giveUpNanos < 0) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }
}
