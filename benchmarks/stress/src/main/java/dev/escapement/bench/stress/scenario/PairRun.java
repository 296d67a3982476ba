package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.scenario.Fault.Site;
import dev.escapement.bench.stress.scenario.InputLedger.RingCounts;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.HungSimulationException;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A service in which the faults of a plan strike, and what it owes to its users then. Used once, by one thread. */
final class PairRun {

    /** What the scenario of a pair checks. */
    static final Set<Promise> PROMISES = promises();

    private static final int PAIR = 2;
    private static final int TICKS_TO_SEE = 10;
    private static final int MOST_LIVES = 6;
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(120);
    private static final long CLOSE_WITHIN_NANOS = 500_000;
    private static final String OF_SERVICE = "escapement-";

    private final Trial trial;
    private final FaultPlan<Fault> plan;
    private final SplittableRandom random;
    private final Set<Thread> threadsBefore = threads();
    private final FaultSites sites;
    private final FaultyService faulty;
    private final PhysicsService service;

    // Volatile: set by the thread that closes, before; nothing else is ordered by it.
    private volatile boolean closing;
    // Volatile: set by the thread that restarts, ended by the one that closes.
    private volatile @Nullable Worker closesAtRestart;

    private boolean restartsDeep;
    private int hungBefore;
    /** Whether the operating system has kept the physics thread from its core for so long that the service took it for hanging. */
    private boolean stalled;

    private PairRun(Trial trial, FaultPlan<Fault> plan) {
        this.trial = trial;
        this.plan = plan;
        random = new SplittableRandom(~plan.seed());
        sites = new FaultSites(plan, this::strike);
        trial.plantWhere(sites::allStruck);
        faulty = new FaultyService(trial, sites);
        service = faulty.service;
    }

    /** The scenario of the pair that a seed draws, which takes its own time; its line tells the seed, the faults and their moments. */
    static Scenario scenario(long seed) {
        FaultPlan<Fault> plan = FaultPlan.draw(seed, PAIR, Fault.all(), fault -> fault.site().lastMoment);
        return new Scenario("fault-pair", plan.toString(), PROMISES, trial -> new PairRun(trial, plan).run());
    }

    private static Set<Promise> promises() {
        Set<Promise> promises = CheckingReader.promises(
                Promise.TICKS_GO_ON,
                Promise.CAUSE_TOLD,
                Promise.CLOSED_ONCE,
                Promise.THREADS_END,
                Promise.LIFECYCLE_TOLD,
                Promise.READERS_COME_BACK,
                Promise.ENDS_IN_TIME,
                Promise.ABANDONED_UNHEARD);
        promises.addAll(CommandLedger.PROMISES);
        promises.addAll(InputLedger.PROMISES);
        return Collections.unmodifiableSet(promises);
    }

    private void run() {
        service.start();
        Worker using = faulty.startUsers();
        live();
        sites.calm();
        boolean goesOn = goOn();
        trial.check(Promise.ENDS_IN_TIME, using.end(), () -> "users of the service are still in a call of it");
        if (goesOn && !closing) {
            checkAlive();
        }
        close();
        checkEnd();
        Thread.interrupted(); // planted
    }

    /** Until all has struck, or enough time is over. */
    private void live() {
        long endNanos = System.nanoTime() + LONGEST_NANOS;
        for (int life = 0; life < MOST_LIVES && !closing; life++) {
            int fatal = sites.fatal();
            Polling.await(() -> closing
                    || isFailing()
                    || sites.fatal() > fatal
                    || sites.allStruck()
                    || System.nanoTime() - endNanos > 0);
            if (!isFailing() && sites.fatal() == fatal) {
                return;
            }
            goOnAfterFailure();
        }
    }

    /** Whether it ticks, or does again after what has struck last. */
    private boolean goOn() {
        for (int life = 0; life < MOST_LIVES && !closing; life++) {
            service.resume();
            long seen = faulty.published.get();
            boolean ticks =
                    Polling.await(() -> closing || isFailing() || faulty.published.get() >= seen + TICKS_TO_SEE);
            if (closing) {
                return false;
            }
            if (!isFailing()) {
                trial.check(
                        Promise.TICKS_GO_ON, ticks, () -> "it is " + service.state() + ", but no tick is to be seen");
                return ticks;
            }
            goOnAfterFailure();
        }
        return false;
    }

    private void goOnAfterFailure() {
        boolean atOnce = random.nextBoolean(); // while it is still being ended
        boolean failed =
                Polling.await(() -> closing || (atOnce ? isFailing() : service.state() == ServiceState.FAILED));
        if (closing) {
            return;
        }
        trial.check(Promise.CAUSE_TOLD, failed && isCause(), this::said);
        Set<Thread> hung = sites.hung();
        stalled |= isHung() && hung.size() == hungBefore;
        hungBefore = hung.size();
        boolean backBefore = random.nextBoolean();
        if (backBefore) {
            sites.release(hung);
        }
        restart();
        if (!backBefore) {
            long seen = faulty.published.get();
            Polling.await(() -> closing || isFailing() || faulty.published.get() > seen);
            sites.release(hung);
        }
    }

    private void restart() {
        sites.at(Site.RESTART);
        int livesBefore = faulty.lives.size();
        if (restartsDeep) {
            restartsDeep = false;
            FaultSites.callAtStackEnd(faulty::restart);
        } else {
            faulty.restart();
        }
        Thread.interrupted();
        trial.check(
                Promise.TICKS_GO_ON,
                // Another thread may have been faster, and has not told of its life yet.
                closing || faulty.lives.size() > livesBefore || service.state() != ServiceState.FAILED,
                () -> "it cannot be restarted, and is " + said());
    }

    private boolean isFailing() {
        return service.failure().isPresent();
    }

    private boolean isHung() {
        return service.failure()
                .filter(HungSimulationException.class::isInstance)
                .isPresent();
    }

    private boolean isCause() {
        return isHung() || service.failure().filter(sites::isFatal).isPresent();
    }

    private String said() {
        return service.state() + " because of " + service.failure();
    }

    /** What needs the service, on the thread that it strikes. */
    private void strike(Fault fault) {
        switch (fault.act()) {
            case CLOSE -> {
                closing = true;
                if (fault.site() == Site.RESTART) { // meanwhile this thread restarts it
                    long afterNanos = random.nextLong(CLOSE_WITHIN_NANOS);
                    closesAtRestart = Worker.start("stress-closes", self -> {
                        Polling.pass(afterNanos);
                        service.close();
                    });
                } else {
                    service.close();
                }
            }
            case RESTART -> faulty.restart();
            case RESTART_DEEP -> restartsDeep = true;
            case LEAVE -> throw new FaultyService.Leave();
            case FLOOD -> faulty.flood();
            case PAUSE -> pause();
            default -> throw new IllegalStateException("this fault cannot strike here: " + fault);
        }
    }

    private void pause() {
        service.pause();
        Polling.pass(TimeUnit.MILLISECONDS.toNanos(3));
        service.step();
        Polling.pass(TimeUnit.MILLISECONDS.toNanos(3));
        service.resume();
    }

    /** It runs, and nothing strikes any more. What is not seen of a service that was stalled meanwhile says nothing. */
    private void checkAlive() {
        faulty.closeReader(); // of a thread that may have ended without
        List<SnapshotReader> readers = new ArrayList<>();
        for (int i = 0; i < FaultyService.READERS; i++) {
            readers.add(service.newReader());
        }
        boolean seen = Polling.await(() -> {
            readers.forEach(SnapshotReader::acquire);
            return isHung() || readers.stream().allMatch(SnapshotReader::hasWindow);
        });
        readers.forEach(SnapshotReader::close);
        trial.check(Promise.READERS_COME_BACK, seen, () -> "new readers have no window");
        faulty.give();
        faulty.silenceDevices();
        long last = faulty.published.get();
        Polling.await(() -> faulty.published.get() >= last + TICKS_TO_SEE || isHung());
        InputLedger inputs = faulty.inputs;
        trial.check(
                Promise.INPUT_SUMS,
                Polling.await(() -> inputs.arrived() >= inputs.accepted() || isHung()),
                () -> inputs.accepted() + " were accepted, but " + inputs.arrived() + " arrived");
        faulty.drain();
        trial.check(
                Promise.LIFECYCLE_TOLD,
                faulty.isForgiven() || stalled || isHung() || faulty.knownBodies() == FaultyService.BODIES,
                () -> faulty.knownBodies() + " bodies are there by what events told, but there are "
                        + FaultyService.BODIES);
    }

    private void close() {
        closing = true;
        Worker closes = Worker.start("stress-closes", self -> service.close());
        try {
            trial.check(Promise.ENDS_IN_TIME, closes.end(), () -> "close hangs: " + closes);
        } finally {
            sites.release(sites.hung());
        }
        closes.end();
        Worker other = closesAtRestart;
        if (other != null) {
            other.end();
        }
    }

    private void checkEnd() {
        ServiceState end = service.state();
        trial.check(
                Promise.CAUSE_TOLD,
                end == ServiceState.CLOSED || (end == ServiceState.FAILED && isCause()),
                this::said);
        faulty.commands.checkAnswers();
        faulty.inputs.reportArrivals(trial, faulty.inputs.findings(RingCounts.of(service)));
        faulty.checkEnd(trial);
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
