package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.scenario.InputLedger.RingCounts;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.HungSimulationException;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.TickRate;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What users' simulations do wrong: they throw or hang, one after the other. */
final class FailureScenarios {

    private static final int BODIES = 50;
    private static final long TICK_HZ = 1000; // for many lives

    private static final long THROWS_SEED = 19;
    private static final long MOST_TICKS = 30;
    private static final int FEWEST_LIVES = 5;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;
    private static final long OFFER_NANOS = 200_000;

    private static final long WATCHDOG_MILLIS = 250;
    private static final long TICKS_UNTIL_HANG = 15; // enough for windows

    private FailureScenarios() {}

    /** What scenarios state whose simulations fail. */
    static Set<Promise> promises(Promise... more) {
        Set<Promise> promises = CheckingReader.promises(more);
        promises.addAll(Set.of(Promise.NUMBERED, Promise.CLOSED_ONCE));
        promises.addAll(WatchedService.OF_FAILURES);
        return promises;
    }

    /** What is thrown on purpose. */
    static RuntimeException deliberate() {
        return new IllegalArgumentException("thrown on purpose");
    }

    /**
     * Restarts a service whose simulation throws, each time with the next, so many times at least and until the trial's time is over. The
     * service has failed then.
     */
    static void restartAgainAndAgain(
            Trial trial,
            WatchedService service,
            PredictableWorld first,
            RuntimeException cause,
            int fewest,
            Supplier<? extends PredictableWorld> next) {
        PredictableWorld life = first;
        long lives = 0;
        while (true) {
            service.awaitFailure(failure -> failure == cause);
            life.checkEnd(trial);
            lives++;
            if (!trial.goesOn() && lives >= fewest) {
                break;
            }
            life = next.get();
            service.restart(life);
        }
        trial.info("simulations that threw", lives);
    }

    /** Simulations that throw, one after the other, while input goes on: readers and producers hardly notice. */
    static Scenario simulationThrows() {
        Set<Promise> promises = promises(Promise.THREADS_END);
        promises.addAll(InputLedger.PROMISES);
        return new Scenario(
                "simulation-throws",
                "1,000 ticks a second; a simulation throws at a random tick and is replaced, again and again",
                promises,
                trial -> {
                    SplittableRandom random = new SplittableRandom(THROWS_SEED);
                    InputLedger ledger = new InputLedger(trial, 1);
                    PredictableWorld world = new PredictableWorld(BODIES, ledger::arrive);
                    RuntimeException cause = deliberate();
                    Supplier<FailingWorld> next = () -> new FailingWorld(
                            BODIES, ledger::arrive, random.nextLong(2, MOST_TICKS), random.nextBoolean(), cause);
                    FailingWorld first = next.get();
                    try (WatchedService service =
                            new WatchedService(trial, first, builder -> builder.rate(TickRate.hertz(TICK_HZ)))) {
                        service.readBy(world, WatchedService.FPS);
                        Worker.during(1, unused -> offer(service, ledger.producer(0)), () -> {
                            restartAgainAndAgain(trial, service, first, cause, FEWEST_LIVES, () -> {
                                // frames that have nothing but what they hold
                                Polling.pass(random.nextLong(LONGEST_PAUSE_NANOS));
                                return next.get();
                            });
                            service.restart(world);
                            service.awaitEnd();
                        });
                        service.end();
                        ledger.report(trial, RingCounts.of(service.service()));
                    }
                });
    }

    private static void offer(WatchedService service, NumberedProducer producer) {
        boolean accepted =
                producer.offer(NumberedProducer.Gate.to(service.service().input()));
        LockSupport.parkNanos(accepted ? OFFER_NANOS : 10 * OFFER_NANOS);
    }

    /** Simulations that hang, and come back after their thread was abandoned and another one ticks: nothing that they do then is seen. */
    static Scenario simulationHangs() {
        return new Scenario(
                "simulation-hangs",
                "a simulation hangs, is abandoned and replaced, and comes back later, again and again",
                promises(Promise.THREADS_END),
                trial -> {
                    long lives = 0;
                    FailingWorld life = FailingWorld.hanging(false);
                    try (WatchedService service =
                            new WatchedService(trial, life, builder -> builder.watchdog(WATCHDOG_MILLIS))) {
                        service.readBy(new PredictableWorld(BODIES), WatchedService.FPS);
                        for (boolean more = true; more; lives++) {
                            service.awaitFailure(HungSimulationException.class::isInstance);
                            more = trial.goesOn();
                            FailingWorld next = FailingWorld.hanging(lives % 2 == 0);
                            service.restart(more ? next : new PredictableWorld(BODIES));
                            // until readers see what the simulation that went on does, unless it hangs before
                            long before = service.published();
                            Polling.await(() -> service.published() > before
                                    || service.service().state() == ServiceState.FAILED);
                            life.returns.set(true);
                            life.checkEnd(trial);
                            life = next;
                        }
                        service.awaitEnd();
                    }
                    trial.info("simulations that hung", lives);
                });
    }

    /** A simulation that fails in one of its ticks, in its step or in the middle of its capture. */
    static final class FailingWorld extends PredictableWorld {

        private static final float NOWHERE = 1e9f;

        private final long lastTicks;
        private final boolean inCapture;
        private final @Nullable RuntimeException cause;
        private final AtomicBoolean returns = new AtomicBoolean();
        private long ticks;

        /**
         * A simulation of two bodies at least.
         *
         * @param lastTicks which of its own ticks is its last, from 1, or from 2 in its capture
         * @param cause     what it throws; null to hang until it is told to return
         */
        FailingWorld(
                int bodies,
                Consumer<Tick> atStep,
                long lastTicks,
                boolean inCapture,
                @Nullable RuntimeException cause) {
            super(bodies, atStep);
            this.lastTicks = lastTicks;
            this.inCapture = inCapture;
            this.cause = cause;
        }

        private static FailingWorld hanging(boolean inCapture) {
            return new FailingWorld(BODIES, tick -> {}, TICKS_UNTIL_HANG, inCapture, null);
        }

        private void fail() {
            if (cause != null) {
                throw cause;
            }
            Polling.await(returns::get); // and come back in any case
        }

        @Override
        public void step(Tick tick) {
            super.step(tick);
            if (++ticks == lastTicks && !inCapture) {
                fail();
            }
        }

        @Override
        void capture(long now, PoseWriter poses) {
            if (ticks < lastTicks) {
                super.capture(now, poses);
                return;
            }
            poses.set(0, NOWHERE, NOWHERE, NOWHERE, 0, 0, 0, 1); // one body before, and another after, if it returns
            if (inCapture) {
                fail();
            }
            poses.set(1, NOWHERE, NOWHERE, NOWHERE, 0, 0, 0, 1);
        }
    }
}
