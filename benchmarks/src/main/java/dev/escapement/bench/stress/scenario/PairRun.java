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
import dev.escapement.state.input.InputKind;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A service in which the faults of a plan strike, and what it owes to its users then. Used once, by one thread. */
final class PairRun {

    /** What the scenario of a pair checks. */
    static final Set<Promise> PROMISES = promises();

    private static final int PAIR = 2;
    private static final long TICK_HZ = 1000;
    private static final long WATCHDOG_MILLIS = 200;
    private static final int READERS = 3;
    private static final int INPUTS = 1024;
    private static final int COMMANDS = 16;
    private static final int TICKS_TO_SEE = 10;
    private static final int MOST_LIVES = 6;
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(120);
    private static final long MOST_END_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long CLOSE_WITHIN_NANOS = 500_000;
    private static final String OF_SERVICE = "escapement-";

    private final Trial trial;
    private final FaultPlan<Fault> plan;
    private final SplittableRandom random;
    private final FaultSites sites;
    private final InputLedger inputs;
    private final CommandLedger commands;
    private final AtomicLong published = new AtomicLong();
    private final Set<Thread> threadsBefore = threads();
    private final List<FaultySimulation> lives = new CopyOnWriteArrayList<>();
    private final List<FaultySource> sources;
    private final PhysicsService service;
    private final Users users;

    // Volatile: set by the thread that closes, before; nothing else is ordered by it.
    private volatile boolean closing;

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
        inputs = new InputLedger(trial, 3);
        commands = new CommandLedger(trial, 2, sites::isPlanted);
        sources = List.of(new FaultySource(sites, inputs.producer(1)), new FaultySource(sites, inputs.producer(2)));
        FaultySimulation first = newLife();
        lives.add(first);
        service = PhysicsService.builder(first)
                .onFailure(failure -> {}) // every run has one
                .rate(TickRate.hertz(TICK_HZ))
                .windowSize(FaultySimulation.WINDOW_SIZE)
                .maxReaders(READERS)
                .inputCapacity(INPUTS)
                .commands(COMMANDS, COMMANDS)
                .checksums(true)
                .watchdog(WATCHDOG_MILLIS)
                .source(sources.get(0))
                .source(sources.get(1))
                .pausedInput((event, state) -> inputs.arrive(event))
                .listener((tick, due, started, stepped, publishedNanos) -> sites.at(Site.LISTENER))
                .build();
        users = new Users(trial, sites, service, commands, inputs.producer(0), published::get);
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

    private FaultySimulation newLife() {
        return new FaultySimulation(trial.check(Promise.ABANDONED_UNHEARD), sites, inputs, published);
    }

    private void run() {
        service.start();
        Worker using = users.start();
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
            long seen = published.get();
            boolean ticks = Polling.await(() -> closing || isFailing() || published.get() >= seen + TICKS_TO_SEE);
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
            long seen = published.get();
            Polling.await(() -> closing || isFailing() || published.get() > seen);
            sites.release(hung);
        }
    }

    private void restart() {
        sites.at(Site.RESTART);
        int livesBefore = lives.size();
        if (restartsDeep) {
            restartsDeep = false;
            FaultSites.callAtStackEnd(this::restartOnce);
        } else {
            restartOnce();
        }
        Thread.interrupted();
        trial.check(
                Promise.TICKS_GO_ON,
                // Another thread may have been faster, and has not told of its life yet.
                closing || lives.size() > livesBefore || service.state() != ServiceState.FAILED,
                () -> "it cannot be restarted, and is " + said());
    }

    /** Whether or not it is the time for it. */
    private void restartOnce() {
        FaultySimulation next = newLife();
        try {
            service.restart(next);
            lives.add(next);
        } catch (IllegalStateException refused) {
            // another thread was faster, or it is not to be restarted: the caller sees it
        }
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
                if (fault.site() == Site.RESTART) {
                    closeSoon();
                } else {
                    closeNow();
                }
            }
            case RESTART -> restartOnce();
            case RESTART_DEEP -> restartsDeep = true;
            case LEAVE -> throw Users.leave();
            case FLOOD -> users.flood();
            case PAUSE -> pause();
            case OFFER_DEEP ->
                FaultSites.callAtStackEnd(
                        () -> service.input().offer(System.nanoTime(), InputKind.POINTER_MOVED, 0, 0, 0));
            case COMMAND_DEEP ->
                FaultSites.callAtStackEnd(() -> {
                    var unused = service.command(tick -> tick);
                });
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

    private void closeNow() {
        closing = true;
        service.close();
    }

    /** While the calling thread goes on with what it is about to do. */
    private void closeSoon() {
        long afterNanos = random.nextLong(CLOSE_WITHIN_NANOS);
        closing = true;
        startThread(() -> {
            Polling.pass(afterNanos);
            service.close();
        });
    }

    private static Thread startThread(Runnable work) {
        Thread thread = new Thread(work, "stress-closes");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** It runs, and nothing strikes any more. What is not seen of a service that was stalled meanwhile says nothing. */
    private void checkAlive() {
        users.closeReader(); // of a thread that may have ended without
        List<SnapshotReader> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            readers.add(service.newReader());
        }
        boolean seen = Polling.await(() -> {
            readers.forEach(SnapshotReader::acquire);
            return isHung() || readers.stream().allMatch(SnapshotReader::hasWindow);
        });
        readers.forEach(SnapshotReader::close);
        trial.check(Promise.READERS_COME_BACK, seen, () -> "new readers have no window");
        users.give();
        sources.forEach(FaultySource::fallSilent);
        long last = published.get();
        Polling.await(() -> published.get() >= last + TICKS_TO_SEE || isHung());
        trial.check(
                Promise.INPUT_SUMS,
                Polling.await(() -> inputs.arrived() == inputs.accepted() || isHung()),
                () -> inputs.accepted() + " were accepted, but " + inputs.arrived() + " arrived");
        users.drain();
        Users.KnownBodies known = users.bodies();
        trial.check(
                Promise.LIFECYCLE_TOLD,
                known.isForgiven() || stalled || isHung() || known.count() == FaultySimulation.BODIES,
                () -> known.count() + " bodies are there by what events told, but there are "
                        + FaultySimulation.BODIES);
    }

    private void close() {
        closing = true;
        Thread closes = startThread(service::close);
        trial.check(
                Promise.ENDS_IN_TIME,
                ThreadEnd.await(closes, MOST_END_NANOS),
                () -> "close hangs: " + Arrays.toString(closes.getStackTrace()));
        sites.release(sites.hung());
        ThreadEnd.await(closes, MOST_END_NANOS);
    }

    private void checkEnd() {
        ServiceState end = service.state();
        trial.check(
                Promise.CAUSE_TOLD,
                end == ServiceState.CLOSED || (end == ServiceState.FAILED && isCause()),
                this::said);
        commands.checkAnswers();
        inputs.reportArrivals(trial, inputs.findings(RingCounts.of(service)));
        lives.forEach(life -> life.checkEnd(trial));
        sources.forEach(source -> source.closings.checkOnce(trial, "a source of input"));
        boolean ended = Polling.await(() -> threadsLeft().isEmpty());
        trial.check(Promise.THREADS_END, ended, () -> "still there: " + stacks(threadsLeft()));
        trial.check(Promise.ABANDONED_UNHEARD).that(!trial.isPlanted(Promise.ABANDONED_UNHEARD), plan::toString);
    }

    private Set<Thread> threadsLeft() {
        Set<Thread> left = threads();
        left.removeAll(threadsBefore);
        return left;
    }

    private static List<String> stacks(Set<Thread> threads) {
        return threads.stream()
                .map(thread -> thread + " at " + Arrays.toString(thread.getStackTrace()))
                .toList();
    }

    private static Set<Thread> threads() {
        Thread[] all = new Thread[2 * Thread.activeCount() + 64];
        int count = Thread.enumerate(all);
        Set<Thread> ofServices = new HashSet<>();
        for (int i = 0; i < count; i++) {
            if (all[i].getName().startsWith(OF_SERVICE)) {
                ofServices.add(all[i]);
            }
        }
        return ofServices;
    }
}
