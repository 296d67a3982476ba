package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.FailureCheck;
import dev.escapement.bench.stress.world.InputLedger;
import dev.escapement.bench.stress.world.LedgerWorld;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.ThrowingVisitor;
import dev.escapement.bench.stress.world.TouchingWorld;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.bench.stress.world.WatchedSource;
import dev.escapement.bench.stress.world.Workers;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.Simulation;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * What users hang on a service throws: a visitor of events on its own thread, which hurts nobody, and one input source after the
 * other on the physics thread, which the service fails of and goes on without.
 */
final class ListenerThrows implements Scenario {

    private static final int BODIES = 50;
    private static final long FPS = 144;
    private static final long TICK_HZ = 1000;
    private static final int SOURCES = 9; // the last does not break
    private static final int EVENTS = 1 << 14;
    private static final long DRAIN_NANOS = 300_000;
    private static final long POLLS = 20;

    @Override
    public String name() {
        return "listener-throws";
    }

    @Override
    public String says() {
        return "a visitor of events throws at every third, and input sources throw one after the other";
    }

    @Override
    public Set<Promise> promises() {
        Set<Promise> promises = Promises.ofReaders(
                Promise.NUMBERED, Promise.HANDED_OUT_ONCE, Promise.SOURCES_GO_ON, Promise.CLOSED_ONCE);
        promises.addAll(FailureCheck.PROMISES);
        promises.addAll(InputLedger.PROMISES);
        return promises;
    }

    @Override
    public void run(Trial trial) {
        InputLedger ledger = new InputLedger(trial, SOURCES);
        List<WatchedSource> sources = IntStream.range(0, SOURCES)
                .mapToObj(i -> new WatchedSource(ledger.producer(i)))
                .toList();
        ThrowingVisitor visitor = new ThrowingVisitor(trial);
        try (WatchedService service =
                WatchedService.start(trial, world(ledger), builder -> withSources(builder, sources))) {
            EventStream events = service.service().events(EVENTS);
            service.readBy(new PredictableWorld(BODIES), FPS);
            Workers.during(1, unused -> drain(visitor, events), () -> {
                breakAll(trial, service, sources, ledger);
                service.awaitEnd();
            });
            service.end();
            ledger.checkSums(service.service());
        }
        checkClosed(trial, sources);
        trial.figure(Figure.info("times the visitor threw", (double) visitor.thrown(), ""));
    }

    private static Simulation world(InputLedger ledger) {
        return new TouchingWorld(new LedgerWorld(new PredictableWorld(BODIES), ledger));
    }

    private static PhysicsServiceBuilder withSources(PhysicsServiceBuilder builder, List<WatchedSource> sources) {
        sources.forEach(builder::source);
        return builder.rate(TickRate.hertz(TICK_HZ));
    }

    private static void drain(ThrowingVisitor visitor, EventStream events) {
        visitor.drain(events);
        LockSupport.parkNanos(DRAIN_NANOS);
    }

    private static void breakAll(Trial trial, WatchedService service, List<WatchedSource> sources, InputLedger ledger) {
        FailureCheck check = new FailureCheck(trial, service.service());
        WatchedSource steady = sources.get(SOURCES - 1);
        for (WatchedSource source : sources.subList(0, SOURCES - 1)) {
            awaitPolls(steady);
            RuntimeException cause = new IllegalArgumentException("thrown on purpose");
            source.breakWith(cause);
            check.awaitFailure(failure -> failure == cause);
            long polls = source.polls();
            service.restart(world(ledger));
            boolean othersGoOn = awaitPolls(steady) && source.polls() == polls;
            trial.check(Promise.SOURCES_GO_ON)
                    .that(
                            othersGoOn != trial.isPlanted(Promise.SOURCES_GO_ON),
                            () -> "after the restart the broken source was polled " + (source.polls() - polls)
                                    + " times, the last other " + steady.polls() + " times in all");
            if (!othersGoOn) {
                return; // nothing that follows would tell more
            }
        }
    }

    private static boolean awaitPolls(WatchedSource source) {
        long before = source.polls();
        return Patience.await(() -> source.polls() >= before + POLLS);
    }

    private static void checkClosed(Trial trial, List<WatchedSource> sources) {
        int once = trial.isPlanted(Promise.CLOSED_ONCE) ? 2 : 1;
        for (WatchedSource source : sources) {
            trial.check(Promise.CLOSED_ONCE)
                    .that(source.closings() == once, () -> "a source was closed " + source.closings() + " times");
        }
    }
}
