package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.DoomedWorld;
import dev.escapement.bench.stress.world.FailureCheck;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedLife;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.physics.HungSimulationException;
import dev.escapement.physics.ServiceState;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Simulations that hang, and come back after their thread was abandoned and another one ticks: nobody sees what they do then. */
final class SimulationHangs implements Scenario {

    private static final int BODIES = 50;
    private static final long FPS = 144;
    private static final long WATCHDOG_MILLIS = 250;
    private static final long TICKS = 15; // enough for windows

    @Override
    public String name() {
        return "simulation-hangs";
    }

    @Override
    public String says() {
        return "a simulation hangs, is abandoned and replaced, and comes back later, again and again";
    }

    @Override
    public Set<Promise> promises() {
        Set<Promise> promises = Promises.ofReaders(Promise.NUMBERED, Promise.CLOSED_ONCE, Promise.THREADS_END);
        promises.addAll(FailureCheck.PROMISES);
        return promises;
    }

    @Override
    public void run(Trial trial) {
        PredictableWorld expected = new PredictableWorld(BODIES);
        long lives = 0;
        Life life = Life.create(false);
        try (WatchedService service =
                WatchedService.start(trial, life.watched, builder -> builder.watchdog(WATCHDOG_MILLIS))) {
            service.readBy(expected, FPS);
            FailureCheck check = new FailureCheck(trial, service.service());
            for (boolean more = true; more; lives++) {
                check.awaitFailure(HungSimulationException.class::isInstance);
                more = trial.goesOn();
                Life next = Life.create(lives % 2 == 0);
                service.restart(more ? next.watched : new PredictableWorld(BODIES));
                awaitWindows(service);
                life.returns.set(true);
                life.watched.checkEnd(trial);
                life = next;
            }
            service.awaitEnd();
        }
        trial.figure(Figure.info("simulations that hung", (double) lives, ""));
    }

    /** Until readers see what the simulation that went on does, unless it hangs before. */
    private static void awaitWindows(WatchedService service) {
        long before = service.published();
        Patience.await(() -> service.published() > before || service.service().state() == ServiceState.FAILED);
    }

    private record Life(WatchedLife watched, AtomicBoolean returns) {

        static Life create(boolean inCapture) {
            AtomicBoolean returns = new AtomicBoolean();
            Runnable hang = () -> Patience.await(returns::get); // and come back, even if nobody wants it
            return new Life(
                    new WatchedLife(new DoomedWorld(new PredictableWorld(BODIES), TICKS, inCapture, hang)), returns);
        }
    }
}
