package dev.escapement.physics;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.physics.usercode.Watchdog;
import dev.escapement.state.input.InputRing.PausedListener;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.thread.ThreadPolicy;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link PhysicsService} or an {@link InlineDriver}. Used by one thread.
 *
 * @see PhysicsService#builder
 */
public final class PhysicsServiceBuilder {

    private final Simulation simulation;
    private String name = "";
    private TickRate rate = TickRate.hertz(100);
    private long firstTick = 1;
    private @Nullable LateTicks lateTicks;
    private int windowSize = 3;
    private int maxReaders = 4;
    private int preallocatedBodies;
    private PoseLayout layout = PoseLayout.PLAIN;
    private boolean checksums;
    private int inputCapacity = 8192;
    private final List<InputSource> devices = new ArrayList<>();
    private @Nullable PausedListener pausedInput;
    private int commandCapacity = 4096;
    private int commandsPerTick = 1024;
    private final List<TickHook> hooks = new ArrayList<>();
    private TickSource.@Nullable Run replicated;
    private WaitStrategy waitStrategy = WaitStrategy.PARK_THEN_SPIN;
    private @Nullable ThreadPolicy threadPolicy;
    private @Nullable Consumer<? super Throwable> onFailure;

    // Tests replace these.
    Waiter waiter = Waiter.system();
    ThreadFactory threads = Thread::new;
    long watchdogNanos;
    long closeTimeoutNanos = TimeUnit.SECONDS.toNanos(5);

    private boolean used;

    PhysicsServiceBuilder(Simulation simulation) {
        this.simulation = simulation;
    }

    /**
     * Sets the rate of the ticks, 100 Hz by default.
     *
     * @param newRate the rate
     * @return this
     */
    public PhysicsServiceBuilder rate(TickRate newRate) {
        open().rate = Objects.requireNonNull(newRate, "rate must not be null; the default is TickRate.hertz(100)");
        return this;
    }

    /**
     * Sets the number of the first tick, 1 by default. A service that replaces another one starts with the tick after its {@link
     * PhysicsService#lastPublishedTick()}, so that simulated time continues. A run that is recorded or replayed begins with tick 1.
     *
     * @param tick 1 or more, within 100 years of simulated time
     * @return this
     */
    public PhysicsServiceBuilder firstTick(long tick) {
        open().firstTick = tick;
        return this;
    }

    /**
     * Sets the policy for ticks that take too long, {@link LateTicks#dilate()} by default. An {@link InlineDriver} has
     * {@link LateTicks#catchUp()} by default: see {@link InlineDriver#runDueTicks()}.
     *
     * @param newLateTicks the policy
     * @return this
     */
    public PhysicsServiceBuilder lateTicks(LateTicks newLateTicks) {
        open().lateTicks =
                Objects.requireNonNull(newLateTicks, "lateTicks must not be null; the default is LateTicks.dilate()");
        return this;
    }

    /**
     * Names the service, to tell it from others: its threads are then {@code escapement-physics-NAME} and so on, and its messages and its
     * events in JFR contain the name.
     *
     * @param newName a short word, such as {@code arena}; by default there is none
     * @return this
     */
    public PhysicsServiceBuilder name(String newName) {
        open().name = Objects.requireNonNull(newName, "name must not be null; leave it out for a service without one");
        return this;
    }

    /**
     * Sets how the physics thread waits for a tick, {@link WaitStrategy#PARK_THEN_SPIN} by default. Has no effect on an
     * {@link InlineDriver}, which does not wait.
     *
     * @param newWaitStrategy {@link WaitStrategy#PARK_ONLY} to save processor time at the cost of late ticks
     * @return this
     */
    public PhysicsServiceBuilder waitStrategy(WaitStrategy newWaitStrategy) {
        open().waitStrategy = Objects.requireNonNull(
                newWaitStrategy, "waitStrategy must not be null; the default is WaitStrategy.PARK_THEN_SPIN");
        return this;
    }

    /**
     * Sets what the physics thread requests from the operating system, such as real-time priority: by default nothing. The usual choice is
     * {@link ThreadPolicy#realTime()}. What the system granted is in {@link PhysicsStats#threadGrants()}, and is logged in one line ({@code
     * dev.escapement.physics}, INFO). Has no effect on an {@link InlineDriver}.
     *
     * @param policy the requests
     * @return this
     */
    public PhysicsServiceBuilder threadPolicy(ThreadPolicy policy) {
        open().threadPolicy =
                Objects.requireNonNull(policy, "policy must not be null; without this call nothing is asked");
        return this;
    }

    /**
     * Sets how many consecutive snapshots readers see at a time, 3 by default. With K snapshots, motion is smooth although publish delays
     * vary by up to K - 2 ticks. Where they vary more, {@link dev.escapement.physics.simulation.PhysicsStats#windowAdvice()} names the size
     * that is enough.
     *
     * @param snapshots K, 2 to 10
     * @return this
     */
    public PhysicsServiceBuilder windowSize(int snapshots) {
        open().windowSize = snapshots;
        return this;
    }

    /**
     * Sets how many readers may be attached at a time, 4 by default: one for each thread that draws or sends. Each reader costs the memory
     * of one window, even while it is not attached: K snapshots, so 180 bytes per body with windows of 3.
     *
     * @param readers R, at least 1; at most 20 with windows of 3, 30 with windows of 2
     * @return this
     */
    public PhysicsServiceBuilder maxReaders(int readers) {
        open().maxReaders = readers;
        return this;
    }

    /**
     * Makes room for a number of bodies before the first tick, so that ticks allocate nothing. Each body takes about 60 bytes in each of (R
     * + 1) K + 1 snapshots, for R {@linkplain #maxReaders readers} with windows of K.
     *
     * @param bodies how many, 0 by default
     * @return this
     */
    public PhysicsServiceBuilder preallocate(int bodies) {
        open().preallocatedBodies = bodies;
        return this;
    }

    /**
     * Sets what a pose consists of besides position and rotation, by default nothing.
     *
     * @param newLayout the additional channels of a pose
     * @return this
     */
    public PhysicsServiceBuilder layout(PoseLayout newLayout) {
        open().layout = Objects.requireNonNull(newLayout, "layout must not be null; the default is PoseLayout.PLAIN");
        return this;
    }

    /**
     * Sets the capacity of the input ring, 8192 events by default. Up to the same number of events can wait for their tick after they have
     * left the ring.
     *
     * @param events a power of two; a tick takes at most this many
     * @return this
     */
    public PhysicsServiceBuilder inputCapacity(int events) {
        open().inputCapacity = events;
        return this;
    }

    /**
     * Sets the capacity of the queues of commands and of queries, and how many of each run in a tick, or about every 10 ms while time
     * stands still or runs slowly. A command or query keeps its place until its future is completed.
     *
     * @param waiting at least 2, 4096 by default; threads that offer at the same time may exceed it by one each
     * @param perTick at least 1, 1024 by default
     * @return this
     */
    public PhysicsServiceBuilder commands(int waiting, int perTick) {
        open().commandCapacity = waiting;
        commandsPerTick = perTick;
        return this;
    }

    /**
     * Stores a {@linkplain dev.escapement.state.snapshot.Snapshot#computeChecksum() checksum} of each snapshot, with which readers can
     * detect a torn one. Costs about 1 ns per float and tick; in worlds of more than 100,000 bodies a 64th of that, because each
     * checksum then covers one block of bodies in 64.
     *
     * @param enabled whether to store them; false by default
     * @return this
     */
    public PhysicsServiceBuilder checksums(boolean enabled) {
        open().checksums = enabled;
        return this;
    }

    /**
     * Sets how long one call of the simulation, a hook, a device or the source of the ticks may take before the service fails and its
     * thread is abandoned. The queries after a tick count as one call. So do the commands before a tick, unless a hook receives each of
     * them. Off by default, because it would also abandon a thread at a breakpoint: leave it out while debugging. In a JVM that was started
     * with {@code -agentlib:jdwp}, a warning says so.
     *
     * @param limitMillis at least 8; much longer than the slowest tick, for example one that loads assets
     * @return this
     * @throws IllegalArgumentException if the limit is too short
     */
    public PhysicsServiceBuilder watchdog(long limitMillis) {
        open().watchdogNanos = Watchdog.limitNanos(limitMillis);
        return this;
    }

    /**
     * Adds a device that the physics thread polls before every tick samples its input, and about every 10 ms while time stands still or
     * runs slowly. If the device throws, the service fails, as if the simulation had thrown. Devices are closed when the service ends;
     * {@link dev.escapement.state.input.BorrowedSource} lends a device to one service after the other.
     *
     * @param source a device that no other service uses
     * @return this
     */
    public PhysicsServiceBuilder source(InputSource source) {
        open().devices.add(Objects.requireNonNull(source, "source must not be null; without this call there is none"));
        return this;
    }

    /**
     * Sets the listener for input that happens while simulated time stands still or another run is followed. Without a listener such input
     * is counted as dropped, but messages of a pause wait for the next tick ({@link dev.escapement.state.input.InputSink#offer}). In both
     * cases such input changes the levels, such as held keys, that the next tick sees.
     *
     * @param newListener called on the physics thread
     * @return this
     * @see dev.escapement.state.input.InputRing#droppedWhilePaused()
     */
    public PhysicsServiceBuilder pausedInput(PausedListener newListener) {
        open().pausedInput =
                Objects.requireNonNull(newListener, "pausedInput must not be null; without this call there is none");
        return this;
    }

    /**
     * Adds a hook, which accompanies the run: a recording, a flight recorder, a history that lets the run seek, metrics. Any number of
     * hooks are called in the order in which they were added. A hook belongs to one run; the caller closes a recording, after the service
     * or driver.
     *
     * @param hook for example a new {@code Recording}, or {@code StateHistory.of}
     * @return this
     */
    public PhysicsServiceBuilder with(TickHook hook) {
        open().hooks.add(Objects.requireNonNull(hook, "hook must not be null; without this call there is none"));
        return this;
    }

    /**
     * Replays a recorded run: ticks get their input from the log, at its rate. After each tick, the hash of the state is compared with the
     * recorded one. After the last tick simulated time stands still for ever. Pauses and scale of the recorded run are not replayed.
     *
     * <p>No tick gets the input that is offered meanwhile: the {@link #pausedInput} listener gets it, and without one it is counted as
     * dropped. Commands do run, and the states may then differ.
     *
     * @param log for example an {@code InputLog}; the simulation must be built like the recorded one
     * @return this
     * @see TickingWorld#divergence()
     */
    public PhysicsServiceBuilder replay(TickSource.Run log) {
        return follow(Objects.requireNonNull(log, "log must not be null; without this call nothing is replayed"));
    }

    /**
     * Follows a run that is ticking elsewhere: the ticks of that run come with their due times, input, commands, pauses and scale. As in a
     * {@link #replay}, no tick gets the input that is offered to this service.
     *
     * @param newRun the run to follow, for example a cluster's; the simulation must be built like the run's
     * @return this
     */
    public PhysicsServiceBuilder follow(TickSource.Run newRun) {
        open().replicated =
                Objects.requireNonNull(newRun, "run must not be null; without this call no run is followed");
        rate = newRun.rate();
        return this;
    }

    /**
     * Sets the handler that the service calls once, when it has failed. {@link PhysicsService} lists the causes. By default the service
     * logs the failure to the {@link System.Logger} {@code dev.escapement.physics} at ERROR. The handler may close the service and start
     * another. An {@link InlineDriver} throws failures to its caller instead.
     *
     * @param handler receives the {@link PhysicsService#failure()} on the thread that ended the service: the physics thread, or the thread
     *                that found it hanging. It must return soon. In a host a separate thread calls it, when the world has left the host
     * @return this
     */
    public PhysicsServiceBuilder onFailure(Consumer<? super Throwable> handler) {
        open().onFailure =
                Objects.requireNonNull(handler, "handler must not be null; without this call failures are logged");
        return this;
    }

    /**
     * Builds a service that is not started yet, so that readers, input and commands can be set up before the first tick.
     *
     * @return the service, to be {@link PhysicsService#start() started} or closed
     * @throws IllegalArgumentException if a number is out of its range, or a hook or the run that is followed refuses the simulation or
     *                                  the rate; the caller still owns the simulation and the devices
     * @throws IllegalStateException    if this builder has built before, because a simulation belongs to one service
     */
    public PhysicsService build() {
        return built(new PhysicsService(settings(Settings.Runner.OWN_THREAD)));
    }

    /**
     * Builds a service that is not started yet, and that runs on threads of a host, which it shares with other services. Only hosts call
     * this; users call a host.
     *
     * @param admission connects the service to the threads of the host
     * @return the service, to be {@link PhysicsService#start() started} or closed
     * @throws IllegalArgumentException in the cases of {@link #build()}, or if there is a {@link #threadPolicy}
     */
    @SuppressWarnings("exports") // the package is exported to modules of this project that are compiled later
    public PhysicsService build(TickHost.Admission admission) {
        Objects.requireNonNull(admission, "admission must not be null; add the builder to a PhysicsHost");
        Settings.Runner runner = admission.isStepped() ? Settings.Runner.LOCK_STEP_HOST : Settings.Runner.HOST;
        settings(runner, name); // refuses bad settings before the host admits the service
        Settings admitted = settings(runner, admission.admit(name, rate, simulation));
        return built(new PhysicsService(admitted, admission));
    }

    /**
     * Builds a service and starts it; throws as {@link #build()}. The first tick is due one period from now.
     *
     * @return the running service
     */
    public PhysicsService start() {
        return build().startOrClose();
    }

    /**
     * Builds a driver for the caller's own loop instead of a thread. The first tick is due one period from now. Throws as {@link #build()}.
     *
     * @param clock the clock of due times
     * @return the driver
     */
    public InlineDriver inline(NanoClock clock) {
        Objects.requireNonNull(clock, "clock must not be null; pass NanoClock.system() or one of your own");
        return built(new InlineDriver(settings(Settings.Runner.CALLER), clock));
    }

    Settings settings(Settings.Runner runner) {
        return settings(runner, name);
    }

    private Settings settings(Settings.Runner runner, String admittedName) {
        open();
        return new Settings(
                simulation,
                runner,
                admittedName,
                rate,
                firstTick,
                lateTicks,
                windowSize,
                maxReaders,
                preallocatedBodies,
                layout,
                checksums,
                inputCapacity,
                List.copyOf(devices),
                pausedInput,
                commandCapacity,
                commandsPerTick,
                List.copyOf(hooks),
                replicated,
                waitStrategy,
                waiter,
                threads,
                threadPolicy,
                watchdogNanos,
                closeTimeoutNanos,
                onFailure);
    }

    /**
     * Makes this builder refuse further calls. Not called if a build was refused: the caller may then correct a setting, and build again.
     */
    private <T> T built(T built) {
        used = true;
        return built;
    }

    private PhysicsServiceBuilder open() {
        if (used) {
            throw new IllegalStateException("this builder has built before; make another with another simulation");
        }
        return this;
    }
}
