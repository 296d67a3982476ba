package dev.escapement.cluster.aeron;

import dev.escapement.physics.RecordedRun;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.ClusterAction;
import io.aeron.cluster.codecs.ClusterActionRequestDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionOpenEventDecoder;
import io.aeron.cluster.codecs.TimerEventDecoder;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * What a node has stored in its folder, as a recorded run: its ticks are run again, and their states compared with those that the nodes told.
 *
 * <pre>{@code
 * StoredLog log = StoredLog.open(node, simulation); // built as on the node
 * PhysicsService replay = PhysicsService.builder(simulation).replay(log).start();
 * }</pre>
 *
 * <p>Only reads. A node may run with that folder: then the run is what it has stored so far. A node tells its states a
 * while after their ticks: the last ones are not compared. Pauses, and time that was given up, are left out.
 * The last entries of a node that was killed may never have been committed; others may then have gone on without them.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class StoredLog implements RecordedRun {

    private static final Header NO_HEADER = new Header(0, 0);

    private final ClusterNode node;
    private final long saveEveryNanos;

    /** Whether the nodes save states: ticks are cut ahead of those. */
    private final boolean savesStates;

    private final long ticks;

    // Volatile: any thread asks how many ticks were compared.
    private volatile long comparedTicks;

    private StoredLog(ClusterNode node, Simulation simulation, long saveEveryNanos) {
        this.node = node;
        this.saveEveryNanos = saveEveryNanos;
        savesStates = CommittedTicks.restorable(simulation) != null;
        ticks = count(simulation.commands());
        comparedTicks = 0;
        if (ticks == 0) {
            throw new IllegalArgumentException("the log in " + node.folder() + " has no ticks");
        }
    }

    /**
     * Reads which ticks a log has.
     *
     * @param node       the node whose log it is, with the same lead, and as many hosts, as when it ran
     * @param simulation built as on the node; it does not run yet
     * @return a run, to be replayed with that simulation
     * @throws IllegalArgumentException if there is no log in the folder of the node, its begin was deleted, or it has no ticks
     * @throws IllegalStateException    if it is of another run than the node's, or the JVM was started without what Aeron's buffers need
     * @throws UncheckedIOException     if it cannot be read
     */
    public static StoredLog open(ClusterNode node, Simulation simulation) {
        return open(node, simulation, ClusteredPhysics.SAVE_EVERY_NANOS);
    }

    static StoredLog open(ClusterNode node, Simulation simulation, long saveEveryNanos) {
        return new StoredLog(node, simulation, saveEveryNanos);
    }

    /**
     * What a log is of.
     *
     * @param folder of a node
     * @return engine, scene, seed, rate, lead and types of commands, in words
     * @throws IllegalArgumentException if there is no log, its begin was deleted, or no node has told
     * @throws UncheckedIOException     if it cannot be read
     */
    public static String describe(Path folder) {
        String[] described = new String[1];
        LogMessages messages = new LogMessages(folder);
        SessionMessageHeaderDecoder session = new SessionMessageHeaderDecoder();
        while (described[0] == null && messages.next()) {
            if (isOf(messages, session.sbeTemplateId())) {
                readRun(messages, words -> described[0] = words);
            }
        }
        if (described[0] == null) {
            throw new IllegalArgumentException("the log in " + folder + " does not say what it is of");
        }
        return described[0];
    }

    private static void readRun(LogMessages messages, Consumer<String> to) {
        int at = AeronCluster.SESSION_HEADER_LENGTH;
        try {
            InputBatch.read(messages.message(), at, messages.length() - at, new InputBatch.Visitor() {
                @Override
                public void run(String sharedByAll) {
                    to.accept(sharedByAll);
                }
            });
        } catch (IllegalArgumentException notOurs) {
            // nodes ignore it, too
        }
    }

    private static boolean isOf(LogMessages messages, int template) {
        return new MessageHeaderDecoder().wrap(messages.message(), 0).templateId() == template;
    }

    /** Without the simulation, which has not begun. */
    private long count(CommandHandlers handlers) {
        long last = 0;
        try (Replay replay = replay(new NoSimulation(handlers))) {
            while (replay.isReady()) {
                last = replay.nextTick(last + 1);
                replay.take(last, 0, 1);
                replay.compare(0);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return last;
    }

    @Override
    public TickRate rate() {
        return node.rate();
    }

    @Override
    public long ticks() {
        return ticks;
    }

    /**
     * How many ticks of the last replay led to a state that was compared with what most nodes had told.
     *
     * @return less than {@link #ticks()}: the last ones were not told yet, and others were not by enough nodes if some were away
     */
    public long comparedTicks() {
        return comparedTicks;
    }

    @Override
    public Replay replay(Simulation simulation) {
        LogMessages messages = new LogMessages(node.folder()); // first: it refuses what cannot be read
        CommittedTicks replay = new CommittedTicks(node, 0, (answer, thrown) -> {});
        NanoClock clock = NanoClock.system();
        CommittedLog log = new CommittedLog(replay, node, 0, new ClusterTime(clock, 0), clock, saveEveryNanos);
        return replay.of(new Entries(messages, log, replay), savesStates, ticks).replay(simulation);
    }

    /** Reads the log for a replay, an entry at a time: then there is always room for what it leads to. The thread that ticks. */
    private final class Entries implements BooleanSupplier {

        private final LogMessages messages;
        private final CommittedLog log;
        private final CommittedTicks replay;
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();
        private final SessionMessageHeaderDecoder session = new SessionMessageHeaderDecoder();
        private final TimerEventDecoder timer = new TimerEventDecoder();
        private final SessionOpenEventDecoder open = new SessionOpenEventDecoder();
        private final NewLeadershipTermEventDecoder term = new NewLeadershipTermEventDecoder();
        private final ClusterActionRequestDecoder action = new ClusterActionRequestDecoder();

        Entries(LogMessages messages, CommittedLog log, CommittedTicks replay) {
            this.messages = messages;
            this.log = log;
            this.replay = replay;
        }

        @Override
        public boolean getAsBoolean() {
            if (!messages.next()) {
                if (replay.lastRun() < ticks) { // which are 0 while they are counted
                    throw new IllegalStateException("the log in " + node.folder()
                            + " has become shorter while it was replayed, because its node runs; open it again");
                }
                return false;
            }
            comparedTicks = log.check.comparedTicks();
            DirectBuffer message = messages.message();
            header.wrap(message, 0);
            switch (header.templateId()) {
                case SessionMessageHeaderDecoder.TEMPLATE_ID -> {
                    session.wrapAndApplyHeader(message, 0, header);
                    int at = AeronCluster.SESSION_HEADER_LENGTH;
                    log.onSessionMessage(null, session.timestamp(), message, at, messages.length() - at, NO_HEADER);
                }
                case TimerEventDecoder.TEMPLATE_ID -> {
                    timer.wrapAndApplyHeader(message, 0, header);
                    log.onTimerEvent(timer.correlationId(), timer.timestamp());
                }
                case SessionOpenEventDecoder.TEMPLATE_ID -> {
                    open.wrapAndApplyHeader(message, 0, header);
                    log.onSessionOpen(null, open.timestamp());
                }
                case NewLeadershipTermEventDecoder.TEMPLATE_ID -> {
                    term.wrapAndApplyHeader(message, 0, header);
                    log.onNewLeadershipTermEvent(0, 0, term.timestamp(), 0, 0, 0, TimeUnit.NANOSECONDS, 0);
                }
                case ClusterActionRequestDecoder.TEMPLATE_ID -> {
                    action.wrapAndApplyHeader(message, 0, header);
                    if (action.action() == ClusterAction.SNAPSHOT && replay.savesStates()) {
                        log.saveNow();
                        replay.ring.forgetSaved();
                    }
                }
                default -> {} // of no meaning to what ticks
            }
            return true;
        }
    }

    /** What ticks are counted with. */
    private record NoSimulation(CommandHandlers commands) implements Simulation {

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter poses) {}
    }
}
