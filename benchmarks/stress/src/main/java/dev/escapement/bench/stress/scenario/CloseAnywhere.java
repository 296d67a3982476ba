package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.command.Answer;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Services are opened and closed at any moment of their life, by several threads at once, including the physics thread. */
final class CloseAnywhere {

    private static final long SEED = 20;
    private static final long TICK_HZ = 10_000; // so that each service ticks in its short life
    private static final long LONGEST_LIFE_NANOS = 400_000;
    private static final long DEFAULT_LENGTH_NANOS = 3_000_000_000L;
    private static final int SERVICES = 10_000;
    private static final int FEWEST = 20;
    private static final int OTHERS = 2;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final ExecutorService others = Executors.newFixedThreadPool(OTHERS);

    private final Trial trial;

    private CloseAnywhere(Trial trial) {
        this.trial = trial;
    }

    static Scenario scenario() {
        return new Scenario(
                "close-anywhere",
                "services are opened and closed at random moments by several threads, 10,000 times from 3 s on",
                Set.of(Promise.CLOSED_ONCE, Promise.THREADS_END, Promise.ANSWERED),
                trial -> new CloseAnywhere(trial).run());
    }

    private void run() throws InterruptedException, ExecutionException {
        int fewest = trial.lengthNanos() < DEFAULT_LENGTH_NANOS ? FEWEST : SERVICES;
        long services = 0;
        try {
            for (; (services < fewest || trial.isRunning()) && !trial.isFound(); services++) {
                live();
            }
        } finally {
            others.shutdownNow();
        }
        trial.info("services opened and closed", services);
    }

    private void live() throws InterruptedException, ExecutionException {
        PredictableWorld life = new PredictableWorld(1);
        PhysicsService service = PhysicsService.builder(life)
                .rate(TickRate.hertz(TICK_HZ))
                .onFailure(failure -> {}) // checked below
                .build();
        List<CompletableFuture<Answer<Long>>> futures = new CopyOnWriteArrayList<>();
        futures.add(service.command(tick -> tick));
        if (random.nextInt(8) > 0) { // otherwise it is closed before it is started
            service.start();
        }
        long closeNanos = random.nextLong(LONGEST_LIFE_NANOS);
        long queryNanos = random.nextLong(LONGEST_LIFE_NANOS);
        Future<?> closing = others.submit(() -> {
            Polling.spin(closeNanos);
            service.close();
        });
        Future<?> asking = others.submit(() -> {
            Polling.spin(queryNanos);
            futures.add(service.query(tick -> tick));
        });
        Polling.spin(random.nextLong(LONGEST_LIFE_NANOS));
        if (random.nextInt(4) == 0) {
            futures.add(service.command(tick -> {
                service.close();
                return tick;
            }));
        }
        service.close();
        closing.get();
        asking.get();
        life.checkEnd(trial);
        boolean closed = service.state() == ServiceState.CLOSED;
        trial.check(Promise.CLOSED_ONCE)
                .that(closed, () -> "a closed service is " + service.state() + ", " + service.failure());
        boolean answered = Polling.await(() -> futures.stream().allMatch(CompletableFuture::isDone));
        trial.check(Promise.ANSWERED, answered, () -> "a future is not completed: " + futures);
    }
}
