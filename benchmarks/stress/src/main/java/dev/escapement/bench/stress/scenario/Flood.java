package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.ledger.InputLedger;
import dev.escapement.bench.stress.ledger.InputLedger.RingCounts;
import dev.escapement.bench.stress.ledger.NumberedProducer;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.trial.Metric;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Producers, each on its own thread, offer numbered input events to a service that ticks at 100 Hz. Each tick checks its input, and at the
 * end the counts of the producers, of the ring and of arrivals have to add up, event by event ({@link InputLedger}).
 *
 * <p>The producers' speed is a metric of the machine: if it is too slow for the rate, the flood takes longer.
 */
record Flood(Trial trial, int producers, int perSecond) {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long WAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The maximum length of a flood, so that a long run has many. */
    private static final double LONGEST_SECONDS = 60;

    /**
     * Floods a ring that has room for two ticks, then, with a tenth of the events, one that is too small, until the time is over.
     *
     * @param producers how many, 1 to {@link NumberedProducer#PRODUCERS}
     * @param perSecond how many events they offer a second in all, not fewer than there are producers
     */
    static Scenario scenario(int producers, int perSecond) {
        return new Scenario(
                "input-flood",
                "millions of numbered input events, a tenth of them into a ring that is too small",
                InputLedger.PROMISES,
                trial -> new Flood(trial, producers, perSecond).run());
    }

    private void run() {
        double seconds = Math.min(LONGEST_SECONDS, (double) trial.lengthNanos() / NANOS_PER_SECOND);
        long offers = Math.max(8L * producers, (long) (seconds * perSecond));
        List<Metric> metrics;
        do {
            metrics = new ArrayList<>(flood(offers, ampleCapacity(perSecond), ""));
            metrics.addAll(flood(Math.max(1, offers / 10), tooSmallCapacity(perSecond), "small ring "));
        } while (trial.isRunning());
        metrics.forEach(trial::metric);
    }

    /** The usual capacity for a number of events a second: room for two ticks. */
    static int ampleCapacity(int perSecond) {
        return powerOfTwoFrom(Math.max(1, 2 * perTick(perSecond)));
    }

    /** Room for a tenth of a tick or a little more, so that most events are refused. */
    static int tooSmallCapacity(int perSecond) {
        return powerOfTwoFrom(Math.max(1, perTick(perSecond) / 10));
    }

    private static int perTick(int perSecond) {
        return Math.toIntExact(perSecond / Math.round(RATE.inHertz()));
    }

    private static int powerOfTwoFrom(int least) {
        return Integer.highestOneBit(2 * least - 1);
    }

    /** Returns after offering and checking everything, with metrics whose names begin with {@code begins}. */
    private List<Metric> flood(long offers, int capacity, String begins) {
        InputLedger ledger = new InputLedger(producers, trial::isPlanted);
        PhysicsService physics = PhysicsService.builder(new PredictableWorld(0, ledger::arrive))
                .rate(RATE)
                .inputCapacity(capacity)
                .build();
        long startNanos = System.nanoTime();
        double seconds;
        try (physics) {
            physics.start();
            InputRing ring = physics.input();
            Worker workers = Worker.start(
                    producers,
                    "flood",
                    (self, i) -> offer(ledger.producer(i), share(offers, i), share(perSecond, i), ring, self));
            try (workers) {
                while (!workers.hasEnded()) {
                    Polling.pass(WAKE_NANOS);
                }
                seconds = (double) (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
            }
            Polling.await(() -> ledger.arrived() >= ledger.accepted()); // missing events are counted as pending
        }
        physics.failure().ifPresent(cause -> {
            throw new IllegalStateException("the flooded service failed: " + cause, cause);
        });
        RingCounts counts = RingCounts.of(physics);
        ledger.report(trial, counts);
        return List.of(
                new Metric(begins + "room", capacity, ""),
                new Metric(begins + "offered", (double) ledger.offered(), ""),
                new Metric(begins + "offered a second", ledger.offered() / seconds, ""),
                new Metric(begins + "refused", (double) counts.rejected(), ""),
                new Metric(begins + "max in a tick", ledger.maxInATick(), ""));
    }

    private long share(long all, int index) {
        return all / producers + (index < all % producers ? 1 : 0);
    }

    /** Wakes a thousand times a second and offers the events due by then, each stamped when it is offered: so its stamps never decrease. */
    private void offer(NumberedProducer producer, long offers, long ownPerSecond, InputRing ring, Worker self) {
        // Spinning producers would take the cores from the thread they are to flood.
        Pacer pacer = new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY);
        long originNanos = System.nanoTime();
        while (producer.offered() < offers && self.isRunning()) {
            pacer.awaitUntil(System.nanoTime() + WAKE_NANOS);
            double seconds = (double) (System.nanoTime() - originNanos) / NANOS_PER_SECOND;
            long due = Math.min(offers, (long) (seconds * ownPerSecond));
            while (producer.offered() < due) {
                producer.offer(ring);
            }
        }
    }
}
