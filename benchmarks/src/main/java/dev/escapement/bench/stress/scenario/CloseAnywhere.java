package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.AnswerThreads;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.WatchedLife;
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

/** Services that are opened and closed at any moment of their life, by several threads at once, the physics thread among them. */
final class CloseAnywhere implements Scenario {

    private static final long SEED = 20;
    private static final long TICK_HZ = 10_000; // so that much happens in the moment that each lives
    private static final long LONGEST_LIFE_NANOS = 400_000;
    private static final long DEFAULT_LENGTH_NANOS = 3_000_000_000L;
    private static final int SERVICES = 10_000;
    private static final int FEWEST = 20;
    private static final int OTHERS = 2;

    @Override
    public String name() {
        return "close-anywhere";
    }

    @Override
    public String says() {
        return "services are opened and closed at random moments by several threads, 10,000 times from 3 s on";
    }

    @Override
    public Set<Promise> promises() {
        return Set.of(Promise.CLOSED_ONCE, Promise.THREADS_END, Promise.ANSWERED);
    }

    @Override
    public void run(Trial trial) throws InterruptedException, ExecutionException {
        SplittableRandom random = new SplittableRandom(SEED);
        AnswerThreads answerThreads = new AnswerThreads(trial);
        int fewest = trial.lengthNanos() < DEFAULT_LENGTH_NANOS ? FEWEST : SERVICES;
        long services = 0;
        ExecutorService others = Executors.newFixedThreadPool(OTHERS);
        try {
            for (; services < fewest || trial.goesOn(); services++) {
                live(trial, random, others, answerThreads);
            }
        } finally {
            others.shutdownNow();
        }
        answerThreads.checkEnd();
        trial.figure(Figure.info("services opened and closed", (double) services, ""));
    }

    private static void live(Trial trial, SplittableRandom random, ExecutorService others, AnswerThreads answerThreads)
            throws InterruptedException, ExecutionException {
        WatchedLife life = new WatchedLife(new PredictableWorld(1));
        PhysicsService service =
                PhysicsService.builder(life).rate(TickRate.hertz(TICK_HZ)).build();
        List<CompletableFuture<Answer<Long>>> futures = new CopyOnWriteArrayList<>();
        futures.add(answerThreads.follow(service.command(tick -> tick)));
        if (random.nextInt(8) > 0) { // or it is closed before it was started
            service.start();
        }
        long closeNanos = random.nextLong(LONGEST_LIFE_NANOS);
        long queryNanos = random.nextLong(LONGEST_LIFE_NANOS);
        Future<?> closing = others.submit(() -> {
            spin(closeNanos);
            service.close();
        });
        Future<?> asking = others.submit(() -> {
            spin(queryNanos);
            futures.add(service.query(tick -> tick));
        });
        spin(random.nextLong(LONGEST_LIFE_NANOS));
        if (random.nextInt(4) == 0) {
            futures.add(service.command(tick -> {
                service.close();
                return tick;
            }));
        }
        service.close();
        closing.get();
        asking.get();
        check(trial, service, life, futures);
    }

    private static void check(
            Trial trial, PhysicsService service, WatchedLife life, List<CompletableFuture<Answer<Long>>> futures) {
        life.checkEnd(trial);
        boolean closed = service.state() == ServiceState.CLOSED;
        trial.check(Promise.CLOSED_ONCE)
                .that(closed, () -> "a closed service is " + service.state() + ", " + service.failure());
        boolean answered = Patience.await(() -> futures.stream().allMatch(CompletableFuture::isDone));
        trial.check(Promise.ANSWERED)
                .that(answered != trial.isPlanted(Promise.ANSWERED), () -> "a future is not completed: " + futures);
    }

    /** More exact than parking, and shorter than what that takes. */
    private static void spin(long nanos) {
        long endNanos = System.nanoTime() + nanos;
        while (System.nanoTime() - endNanos < 0) {
            Thread.onSpinWait();
        }
    }
}
