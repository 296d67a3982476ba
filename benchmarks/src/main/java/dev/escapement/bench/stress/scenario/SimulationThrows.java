package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.DoomedWorld;
import dev.escapement.bench.stress.world.FailureCheck;
import dev.escapement.bench.stress.world.InputLedger;
import dev.escapement.bench.stress.world.LedgerWorld;
import dev.escapement.bench.stress.world.NumberedProducer;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedLife;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.bench.stress.world.Workers;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Simulations that throw, one after the other, while input goes on: readers and producers hardly notice. */
final class SimulationThrows implements Scenario {

    private static final long SEED = 19;
    private static final int BODIES = 50;
    private static final long FPS = 144;
    private static final long TICK_HZ = 1000; // for many lives
    private static final long MOST_TICKS = 30;
    private static final int FEWEST_LIVES = 5;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;
    private static final long OFFER_NANOS = 200_000;

    @Override
    public String name() {
        return "simulation-throws";
    }

    @Override
    public String says() {
        return "1,000 ticks a second; a simulation throws at a random tick and is replaced, again and again";
    }

    @Override
    public Set<Promise> promises() {
        Set<Promise> promises = Promises.ofReaders(Promise.NUMBERED, Promise.CLOSED_ONCE, Promise.THREADS_END);
        promises.addAll(FailureCheck.PROMISES);
        promises.addAll(InputLedger.PROMISES);
        return promises;
    }

    @Override
    public void run(Trial trial) {
        SplittableRandom random = new SplittableRandom(SEED);
        PredictableWorld world = new PredictableWorld(BODIES);
        InputLedger ledger = new InputLedger(trial, 1);
        Life first = life(world, ledger, random);
        try (WatchedService service =
                WatchedService.start(trial, first.watched, builder -> builder.rate(TickRate.hertz(TICK_HZ)))) {
            service.readBy(world, FPS);
            Workers.during(1, unused -> offer(service, ledger.producer(0)), () -> {
                live(trial, service, first, () -> life(world, ledger, random), random);
                service.restart(new LedgerWorld(world, ledger));
                service.awaitEnd();
            });
            service.end();
            ledger.checkSums(service.service());
        }
    }

    private static void live(
            Trial trial, WatchedService service, Life first, Supplier<Life> next, SplittableRandom random) {
        FailureCheck check = new FailureCheck(trial, service.service());
        Life life = first;
        long lives = 0;
        while (true) {
            RuntimeException cause = life.cause;
            check.awaitFailure(failure -> failure == cause);
            Patience.pass(random.nextLong(LONGEST_PAUSE_NANOS)); // frames that have nothing but what they hold
            life.watched.checkEnd(trial);
            lives++;
            if (!trial.goesOn() && lives >= FEWEST_LIVES) {
                break;
            }
            life = next.get();
            service.restart(life.watched);
        }
        trial.figure(Figure.info("simulations that threw", (double) lives, ""));
    }

    private record Life(WatchedLife watched, RuntimeException cause) {}

    private static Life life(PredictableWorld world, InputLedger ledger, SplittableRandom random) {
        RuntimeException cause = new IllegalArgumentException("thrown on purpose");
        return new Life(
                new WatchedLife(new DoomedWorld(
                        new LedgerWorld(world, ledger), random.nextLong(2, MOST_TICKS), random.nextBoolean(), () -> {
                            throw cause;
                        })),
                cause);
    }

    private static void offer(WatchedService service, NumberedProducer producer) {
        boolean accepted = producer.offer(
                (nanos, code, x, y) -> service.service().input().offer(nanos, InputKind.APPLICATION, code, x, y));
        LockSupport.parkNanos(accepted ? OFFER_NANOS : 10 * OFFER_NANOS);
    }
}
