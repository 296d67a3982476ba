package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** What producers have sent and what of it has arrived: their numbers, one after the other. States {@link #PROMISES}. */
public final class InputLedger {

    /** What a scenario with a ledger states. */
    public static final Set<Promise> PROMISES = Set.of(Promise.INPUT_ONCE, Promise.INPUT_ORDER, Promise.INPUT_SUMS);

    private final Trial trial;
    private final List<NumberedProducer> producers;
    private final Check once;
    private final Check order;

    /** What comes next of each producer. Only the thread that ticks knows, or the one that goes on after it. */
    private final long[] next;

    // Written by the thread that ticks alone; release, so that whoever waits for an event sees what was checked of it.
    private final AtomicLong arrived = new AtomicLong();

    /** A ledger for so many producers. */
    public InputLedger(Trial trial, int producers) {
        this.trial = trial;
        this.producers = IntStream.range(0, producers)
                .mapToObj(index -> new NumberedProducer(trial, index))
                .toList();
        once = trial.check(Promise.INPUT_ONCE);
        order = trial.check(Promise.INPUT_ORDER);
        next = new long[producers];
    }

    /** One of the producers. */
    public NumberedProducer producer(int index) {
        return producers.get(index);
    }

    /** Takes the input of a tick. The thread that ticks. */
    public void arrive(InputFrame input) {
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            arrive(event, i == 0 || event.timeNanos() - input.event(i - 1).timeNanos() >= 0);
        }
    }

    /** Takes an event while time stands still. The thread that ticks. */
    public void arrive(InputEvent event) {
        arrive(event, true);
    }

    /** What is of another kind was offered by nobody in the ledger. */
    private void arrive(InputEvent event, boolean inTime) {
        if (event.kind() == InputKind.APPLICATION) {
            arrive(NumberedProducer.index(event), NumberedProducer.number(event), inTime);
            arrived.setRelease(arrived.getPlain() + 1);
        }
    }

    private void arrive(int producer, long number, boolean inTime) {
        long expected = next[producer];
        once.that(number <= expected, () -> number + " arrived of producer " + producer + " before " + expected);
        order.that(
                number >= expected && inTime,
                () -> number + " arrived of producer " + producer + " when " + expected + " was to come, "
                        + (inTime ? "" : "not ") + "in the order of time");
        next[producer] = number + 1;
    }

    /** How many events have arrived. Any thread. */
    public long arrived() {
        return arrived.getAcquire();
    }

    /** How many were accepted. Whoever has seen the producers end. */
    public long accepted() {
        return producers.stream().mapToLong(NumberedProducer::accepted).sum();
    }

    /** Compares what was accepted with what arrived, and with what is left in a service that nothing is offered to any more. */
    public void checkSums(PhysicsService closed) {
        long left = closed.pendingInputs() + closed.input().droppedWhilePaused();
        long gone = arrived() + (trial.isPlanted(Promise.INPUT_SUMS) ? 1 : 0) + left;
        trial.check(Promise.INPUT_SUMS)
                .that(
                        accepted() == gone && closed.input().accepted() == gone,
                        () -> accepted() + " were accepted, and "
                                + closed.input().accepted() + " counted by the ring, but " + gone
                                + " arrived or are left");
    }
}
