package dev.escapement.bench.stress;

import dev.escapement.bench.stress.FaultPlan.Act;
import dev.escapement.bench.stress.InputLedger.RingCounts;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs a service in which the faults of a plan strike, and checks its promises. If it fails, a new service replaces it and the plan
 * continues. Used once, by one thread.
 */
final class PairRun {

    /** The promises that the scenario of a pair checks. */
    static final Set<Promise> PROMISES = EnumSet.range(Promise.WHOLE, Promise.ABANDONED_UNHEARD);

    private static final int TICKS_TO_SEE = 10;
    private static final int MAX_LIVES = 6;
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(120);

    private final Trial trial;
    private final FaultPlan plan;
    private final SplittableRandom random;
    private final OwnThreads threads = new OwnThreads();
    private final FaultSites sites;

    // Volatile: replaced while no thread uses the previous one; threads of the new one see it.
    private volatile FaultyService faulty;

    // Volatile: set before closing, by the thread that closes; nothing else is ordered by it.
    private volatile boolean closing;

    /** Whether a fault has struck because of which the service has to fail. */
    private boolean mustFail;

    private PairRun(Trial trial, FaultPlan plan) {
        this.trial = trial;
        this.plan = plan;
        random = new SplittableRandom(~plan.seed());
        sites = new FaultSites(plan, this::strike);
        trial.plantWhere(sites::allStruck);
        faulty = new FaultyService(trial, sites, 1);
    }

    static void run(Trial trial, long seed) {
        FaultPlan plan = FaultPlan.draw(seed);
        trial.runs(plan.toString());
        new PairRun(trial, plan).run();
    }

    private void run() {
        for (int life = 0; runService() && life < MAX_LIVES; life++) {
            closing = false;
            faulty = new FaultyService(trial, sites, service().lastTick() + 1);
        }
        Thread.interrupted(); // planted
    }

    private PhysicsService service() {
        return faulty.service;
    }

    /** Runs a service from its start to its end. Returns whether it failed, so that a new one has to replace it. */
    private boolean runService() {
        service().start();
        Worker using = faulty.startUsers();
        int fatal = sites.fatal();
        Polling.await(LONGEST_NANOS, () -> closing || isFailing() || sites.fatal() > fatal || sites.allStruck());
        mustFail = sites.fatal() > fatal;
        boolean failed = !closing && awaitFailure();
        if (!failed) {
            sites.calm();
            failed = !closing && !ticks() && awaitFailure();
        }
        trial.check(Promise.ENDS_IN_TIME, using.end(), () -> "users of the service are still in a call of it");
        if (failed) {
            checkReaders(true);
        } else if (!closing) {
            checkAlive();
        }
        if (failed && random.nextBoolean()) {
            sites.release();
        }
        close();
        checkEnd();
        return failed;
    }

    /** Waits for the failure, if one is expected or has happened, and checks its cause. Returns whether it has failed. */
    private boolean awaitFailure() {
        if (!mustFail && !isFailing()) {
            return false;
        }
        boolean failed = Polling.await(() -> closing || service().state() == ServiceState.FAILED);
        if (!closing) {
            trial.check(Promise.CAUSE_REPORTED, failed && isCause(), this::said);
        }
        return !closing && failed;
    }

    /** Whether it ticks. False also if it fails or is closed instead. */
    private boolean ticks() {
        service().resume();
        long seen = faulty.published.get();
        boolean ticks = Polling.await(() -> closing || isFailing() || faulty.published.get() >= seen + TICKS_TO_SEE);
        if (closing || isFailing()) {
            return false;
        }
        trial.check(Promise.TICKS_CONTINUE, ticks, () -> "it is " + service().state() + ", but no tick is visible");
        return ticks;
    }

    /** As many readers as before can read its last window, or the newest. If it was stalled meanwhile, a missing window is no fault. */
    private void checkReaders(boolean failed) {
        faulty.closeReader(); // its thread may have ended without closing it
        List<SnapshotReader> readers = Stream.generate(service()::newReader)
                .limit(FaultyService.READERS)
                .toList();
        long last = service().lastTick();
        boolean seen = Polling.await(() -> {
            readers.forEach(SnapshotReader::acquire);
            return failed
                    ? faulty.published.get() == 0 || readers.stream().allMatch(reader -> isAt(reader, last))
                    : isHung() || readers.stream().allMatch(SnapshotReader::hasWindow);
        });
        readers.forEach(SnapshotReader::close);
        trial.check(Promise.READERS_COME_BACK, seen, () -> "new readers have no window, or not of tick " + last);
    }

    private static boolean isAt(SnapshotReader reader, long tick) {
        return reader.hasWindow() && reader.window().newestTick() == tick;
    }

    private boolean isFailing() {
        return service().failure().isPresent();
    }

    private boolean isHung() {
        return service().failure().orElse(null) instanceof HungSimulationException;
    }

    private boolean isCause() {
        return isHung() || service().failure().filter(sites::isFatal).isPresent();
    }

    private String said() {
        return service().state() + " because of " + service().failure();
    }

    /** Strikes with a fault that needs the service, on the thread of its site. */
    private void strike(Act act) {
        switch (act) {
            case CLOSE -> {
                closing = true;
                service().close();
            }
            case LEAVE -> throw new FaultyService.Leave();
            case FLOOD -> faulty.flood();
            case PAUSE -> pause();
            default -> throw new IllegalStateException(act + " cannot strike here");
        }
    }

    private void pause() {
        service().pause();
        Polling.pass(TimeUnit.MILLISECONDS.toNanos(3));
        service().step();
        Polling.pass(TimeUnit.MILLISECONDS.toNanos(3));
        service().resume();
    }

    /** Checks a running service without further faults. */
    private void checkAlive() {
        checkReaders(false);
        faulty.give();
        long last = faulty.published.get();
        Polling.await(() -> faulty.published.get() >= last + TICKS_TO_SEE || isHung());
        InputLedger inputs = faulty.inputs;
        trial.check(
                Promise.INPUT_SUMS,
                Polling.await(() -> inputs.arrived() >= inputs.accepted() || isHung()),
                () -> inputs.accepted() + " were accepted, but " + inputs.arrived() + " arrived");
        faulty.checkBodies();
    }

    private void close() {
        closing = true;
        Worker closes = Worker.start("stress-closes", self -> service().close());
        try {
            trial.check(Promise.ENDS_IN_TIME, closes.end(), () -> "close hangs: " + closes);
        } finally {
            sites.release();
        }
        closes.end();
    }

    private void checkEnd() {
        ServiceState end = service().state();
        trial.check(
                Promise.CAUSE_REPORTED,
                end == ServiceState.CLOSED || (end == ServiceState.FAILED && isCause()),
                this::said);
        faulty.commands.checkAnswers();
        faulty.inputs.report(trial, RingCounts.of(service()), false);
        faulty.checkEnd();
        List<Thread> left = threads.left();
        trial.check(Promise.THREADS_END, left.isEmpty(), () -> "still there: " + Worker.stacks(left));
        trial.check(Promise.ABANDONED_UNHEARD).that(!trial.isPlanted(Promise.ABANDONED_UNHEARD), plan::toString);
    }
}
