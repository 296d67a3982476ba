package dev.escapement.bench.stress;

import dev.escapement.bench.stress.FaultPlan.Fault;
import dev.escapement.bench.stress.InputLedger.RingCounts;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
    private static final String OF_SERVICE = "escapement-";

    private final Trial trial;
    private final FaultPlan plan;
    private final SplittableRandom random;
    private final Set<Thread> threadsBefore = threads();
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

    /** Runs the pair of a seed; returns its line with the seed, the faults and their moments. */
    static String run(Trial trial, long seed) {
        FaultPlan plan = FaultPlan.draw(seed);
        new PairRun(trial, plan).run();
        return plan.toString();
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
        live();
        boolean failed = !closing && awaitFailure();
        if (!failed) {
            sites.calm();
            failed = !closing && !ticks() && awaitFailure();
        }
        trial.check(Promise.ENDS_IN_TIME, using.end(), () -> "users of the service are still in a call of it");
        if (failed) {
            checkFailed();
        } else if (!closing) {
            checkAlive();
        }
        close();
        checkEnd();
        return failed;
    }

    /** Waits until all faults have struck, the service has to fail, or the time is over. */
    private void live() {
        long endNanos = System.nanoTime() + LONGEST_NANOS;
        int fatal = sites.fatal();
        Polling.await(() -> closing
                || isFailing()
                || sites.fatal() > fatal
                || sites.allStruck()
                || System.nanoTime() - endNanos > 0);
        mustFail = sites.fatal() > fatal;
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

    /** Its last window can be read by as many readers as before the failure. */
    private void checkFailed() {
        faulty.closeReader(); // its thread may have ended without closing it
        long last = faulty.published.get();
        List<SnapshotReader> readers = newReaders();
        readers.forEach(SnapshotReader::acquire);
        trial.check(
                Promise.READERS_COME_BACK,
                last == 0
                        || readers.stream()
                                .allMatch(reader -> reader.hasWindow()
                                        && reader.window().newestTick()
                                                == service().lastTick()),
                () -> "tick " + service().lastTick() + " was the last, and new readers do not have it");
        readers.forEach(SnapshotReader::close);
        if (random.nextBoolean()) {
            sites.release(sites.hung());
        }
    }

    private List<SnapshotReader> newReaders() {
        return Stream.generate(service()::newReader)
                .limit(FaultyService.READERS)
                .toList();
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
    private void strike(Fault fault) {
        switch (fault.act()) {
            case CLOSE -> {
                closing = true;
                service().close();
            }
            case LEAVE -> throw new FaultyService.Leave();
            case FLOOD -> faulty.flood();
            case PAUSE -> pause();
            default -> throw new IllegalStateException("this fault cannot strike here: " + fault);
        }
    }

    private void pause() {
        service().pause();
        Polling.pass(TimeUnit.MILLISECONDS.toNanos(3));
        service().step();
        Polling.pass(TimeUnit.MILLISECONDS.toNanos(3));
        service().resume();
    }

    /** Checks a running service without further faults. If it was stalled meanwhile, a missing window is no fault. */
    private void checkAlive() {
        faulty.closeReader(); // its thread may have ended without closing it
        List<SnapshotReader> readers = newReaders();
        boolean seen = Polling.await(() -> {
            readers.forEach(SnapshotReader::acquire);
            return isHung() || readers.stream().allMatch(SnapshotReader::hasWindow);
        });
        readers.forEach(SnapshotReader::close);
        trial.check(Promise.READERS_COME_BACK, seen, () -> "new readers have no window");
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
            sites.release(sites.hung());
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
        boolean ended = Polling.await(() -> threadsBefore.containsAll(threads()));
        trial.check(Promise.THREADS_END, ended, () -> {
            Set<Thread> left = threads();
            left.removeAll(threadsBefore);
            return "still there: " + Worker.stacks(left);
        });
        trial.check(Promise.ABANDONED_UNHEARD).that(!trial.isPlanted(Promise.ABANDONED_UNHEARD), plan::toString);
    }

    private static Set<Thread> threads() {
        Thread[] all = new Thread[2 * Thread.activeCount() + 64];
        return Arrays.stream(all, 0, Thread.enumerate(all))
                .filter(thread -> thread.getName().startsWith(OF_SERVICE))
                .collect(Collectors.toSet());
    }
}
