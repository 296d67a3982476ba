package dev.escapement.transport.aeron;

import io.aeron.Aeron;
import io.aeron.CncFileDescriptor;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.PublisherLimit;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * Aeron's media driver and a connection to it: what the senders and receivers of a process share. The driver runs in this process, or in
 * another one.
 *
 * <pre>{@code
 * try (AeronDriver driver = AeronDriver.embedded();
 *         AeronSender stream = AeronSender.start(driver, "aeron:udp?endpoint=localhost:20121", sender, clock)) {
 *     ...
 * }
 * }</pre>
 *
 * <p>An embedded driver has one thread, which sleeps 200 us at a time, and a directory of its own in shared memory. A driver that
 * starts deletes the directories of processes that have died.
 *
 * <p>Any thread may call any method.
 */
public final class AeronDriver implements AutoCloseable {

    /** What Aeron's buffers need of the JVM. */
    public static final String ADD_OPENS = "--add-opens java.base/jdk.internal.misc=ALL-UNNAMED";

    private static final System.Logger LOG = System.getLogger("dev.escapement.state");
    private static final Pattern NOISE = Pattern.compile(
            "(FATAL|ERROR|WARN) - |[\\w.$]+Exception : |channel error - | \\(at .*?\\(.*?\\)\\)|, errorCodeValue=.*");
    private static final int COUNTER_BYTES = 1 << 20;
    static final int SEGMENT_BYTES = 2 * StreamChannel.TERM_BYTES;
    private static final long LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long IMAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long TIMER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** Of the thread that looks up names, which is done once. */
    private static final int LOOK_UP_MILLIS = 10;

    private static final Map<String, SystemCounterDescriptor> COUNTS = new LinkedHashMap<>();

    static {
        COUNTS.put("bytes-sent", SystemCounterDescriptor.BYTES_SENT);
        COUNTS.put("bytes-received", SystemCounterDescriptor.BYTES_RECEIVED);
        COUNTS.put("losses-seen", SystemCounterDescriptor.NAK_MESSAGES_SENT);
        COUNTS.put("gaps-filled", SystemCounterDescriptor.LOSS_GAP_FILLS);
        COUNTS.put("retransmits", SystemCounterDescriptor.RETRANSMITS_SENT);
        COUNTS.put("flow-control-limits", SystemCounterDescriptor.SENDER_FLOW_CONTROL_LIMITS);
        COUNTS.put("overruns", SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS);
        COUNTS.put("errors", SystemCounterDescriptor.ERRORS);
    }

    private final Path directory;
    private final SteadyClock clock;
    private final @Nullable AutoCloseable embedded;

    /** Not those of the connection, which are unmapped when it ends. A closed driver may still be asked. */
    private final CountersReader counters;

    private final Aeron aeron;
    private final @Nullable AeronArchive archive;

    /** Runs what uses this, except what waits for a disk. */
    final StreamThread streams = new StreamThread("escapement-aeron-streams");

    private AeronDriver(Path directory, SteadyClock clock, @Nullable AutoCloseable embedded, boolean archives) {
        this.directory = directory;
        this.clock = clock;
        this.embedded = embedded;
        aeron = Aeron.connect(
                newClientContext().errorHandler(AeronDriver::log).subscriberErrorHandler(AeronDriver::log));
        try {
            counters = mapCounters(directory);
            archive = archives
                    ? AeronArchive.connect(new AeronArchive.Context()
                            .aeron(aeron)
                            .controlRequestChannel("aeron:ipc")
                            .controlResponseChannel("aeron:ipc"))
                    : null;
        } catch (Throwable e) { // Agrona throws checked ones, too
            aeron.close();
            throw e;
        }
    }

    /**
     * Starts a driver in this process.
     *
     * @return a driver, to be closed after what uses it
     * @throws IllegalStateException if the JVM was started without {@value #ADD_OPENS}, or the driver cannot start, for example because there is
     *                               no room for its directory; nothing is left of it
     */
    public static AeronDriver embedded() {
        return start(null);
    }

    /** Starts a driver with an archive in a folder, which is created if missing. */
    static AeronDriver archiving(Path folder) {
        return start(folder);
    }

    private static AeronDriver start(@Nullable Path recordings) {
        requireOpenBuffers();
        Path directory = null;
        AutoCloseable driver = null;
        try {
            directory = DriverDirectory.create();
            SteadyClock clock = new SteadyClock(SystemNanoClock.INSTANCE, SystemEpochClock.INSTANCE);
            MediaDriver.Context context = context(directory, clock);
            driver = recordings == null
                    ? MediaDriver.launch(context)
                    : ArchivingMediaDriver.launch(context, archiveContext(context, recordings));
            return new AeronDriver(directory, clock, driver, recordings != null);
        } catch (Throwable e) { // Agrona throws checked ones, too
            CloseHelper.quietClose(driver);
            if (directory != null) {
                DriverDirectory.delete(directory);
            }
            throw new IllegalStateException("Aeron's driver cannot start: " + firstLine(e), e);
        }
    }

    /**
     * The settings of an embedded driver, with a directory of its own, for those who run one with more than it.
     *
     * @return settings of a driver with a thread, which may still be changed
     * @throws IllegalStateException if the JVM was started without {@value #ADD_OPENS}, or there is no room for the directory
     */
    public static MediaDriver.Context newContext() {
        requireOpenBuffers();
        return context(DriverDirectory.create(), new SteadyClock(SystemNanoClock.INSTANCE, SystemEpochClock.INSTANCE));
    }

    private static MediaDriver.Context context(Path directory, SteadyClock clock) {
        return new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .epochClock(clock)
                .nanoClock(clock)
                .dirDeleteOnStart(true) // it is empty, and its own
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle())
                .asyncExecutorIdleStrategy(new SleepingMillisIdleStrategy(LOOK_UP_MILLIS))
                .timerIntervalNs(TIMER_NANOS) // of its signs of life, too
                .counterValuesBufferLength(COUNTER_BYTES)
                .publicationTermBufferLength(StreamChannel.TERM_BYTES)
                .ipcTermBufferLength(StreamChannel.TERM_BYTES)
                .retransmitUnicastLingerNs(LINGER_NANOS)
                .imageLivenessTimeoutNs(IMAGE_NANOS)
                .errorHandler(AeronDriver::log);
    }

    private static Archive.Context archiveContext(MediaDriver.Context driver, Path recordings) {
        return new Archive.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .epochClock(driver.epochClock())
                .nanoClock(driver.nanoClock())
                .archiveDir(recordings.toFile())
                .markFileDir(driver.aeronDirectory()) // that of a killed process would refuse the next one for 10 s
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(AeronDriver::idle)
                .segmentFileLength(SEGMENT_BYTES)
                .controlChannelEnabled(false)
                .archiveClientContext(
                        new AeronArchive.Context().controlResponseChannel("aeron:udp?endpoint=localhost:0"))
                .replicationChannel("aeron:udp?endpoint=localhost:0")
                .recordingEventsEnabled(false)
                .errorHandler(AeronDriver::log);
    }

    private static IdleStrategy idle() {
        return new SleepingIdleStrategy(SLEEP_NANOS);
    }

    /**
     * Connects to a driver that runs already.
     *
     * @param directory its directory
     * @return a connection, to be closed after what uses it
     * @throws IllegalStateException if the JVM was started without {@value #ADD_OPENS}, or there is no such driver
     */
    public static AeronDriver existing(Path directory) {
        requireOpenBuffers();
        if (!DriverDirectory.isActive(directory)) {
            throw new IllegalStateException("no Aeron driver of this version runs in " + directory);
        }
        return connect(directory);
    }

    /** By the clock of the driver: its last sign of life is not long ago. */
    private static AeronDriver connect(Path directory) {
        return new AeronDriver(
                directory,
                new SteadyClock(SystemNanoClock.INSTANCE, () -> DriverDirectory.heartbeatMillis(directory)),
                null,
                false);
    }

    /**
     * Connects to the newest of the embedded drivers of this user's processes that sends a stream between processes.
     *
     * @return null if there is none
     */
    static @Nullable AeronDriver sending(StreamChannel channel) {
        requireOpenBuffers();
        for (Path directory : DriverDirectory.living()) {
            AeronDriver found = null;
            try {
                found = DriverDirectory.isActive(directory) ? connect(directory) : null;
                if (found != null && found.sends(channel)) {
                    return found;
                }
            } catch (Exception e) {
                log(e); // it has ended just now
            }
            CloseHelper.quietClose(found);
        }
        return null;
    }

    private static CountersReader mapCounters(Path directory) {
        ByteBuffer file = IoUtil.mapExistingFile(
                directory.resolve(CncFileDescriptor.CNC_FILE).toFile(), "Aeron's counters");
        DirectBuffer layout = CncFileDescriptor.createMetaDataBuffer(file);
        return new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(file, layout),
                CncFileDescriptor.createCountersValuesBuffer(file, layout));
    }

    private boolean sends(StreamChannel channel) {
        boolean[] found = {false};
        counters.forEach((id, type, key, label) -> {
            found[0] |= type == PublisherLimit.PUBLISHER_LIMIT_TYPE_ID
                    && label.contains(" " + channel.streamId() + " aeron:ipc");
        });
        return found[0];
    }

    /**
     * Checks what Aeron's buffers need, as all that starts or connects to a driver does.
     *
     * @throws IllegalStateException if the JVM was started without {@value #ADD_OPENS}
     */
    public static void requireOpenBuffers() {
        Module base = Object.class.getModule();
        if (!base.isOpen("jdk.internal.misc", Aeron.class.getModule())) {
            throw new IllegalStateException("Aeron needs access to a package of the JDK; start Java with " + ADD_OPENS);
        }
    }

    /**
     * What went wrong, in a line: Aeron's messages have many, and name classes.
     *
     * @param failure what Aeron threw
     * @return its first line, without names of classes
     */
    public static String firstLine(Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        String line = message.lines().findFirst().orElse("");
        return NOISE.matcher(line).replaceAll("");
    }

    private static void log(Throwable error) {
        LOG.log(System.Logger.Level.WARNING, "Aeron: " + firstLine(error));
    }

    /**
     * The settings of another connection to this driver, for clients of Aeron's own: with its directory, and its clocks.
     *
     * @return settings, which may still be changed
     */
    public Aeron.Context newClientContext() {
        return new Aeron.Context()
                .aeronDirectoryName(directory.toString())
                .epochClock(clock)
                .nanoClock(clock);
    }

    Aeron aeron() {
        return aeron;
    }

    AeronArchive archive() {
        if (archive == null) {
            throw new IllegalStateException("this driver has no archive");
        }
        return archive;
    }

    /** Whether the driver was closed, or has given no sign of life for so long that the connection to it was. */
    boolean isClosed() {
        return aeron.isClosed();
    }

    /**
     * What the driver has counted since it started, for all streams, in Aeron's own counters. {@code losses-seen} are gaps that receivers here
     * asked to be sent again, {@code gaps-filled} those filled with nothing because a channel is not reliable, {@code retransmits} packets that
     * senders here sent again. {@code flow-control-limits} tells how often a sender had to wait for receivers, {@code overruns} how many packets
     * came faster than a receiver here read, and were dropped. {@code errors} are logged, too.
     *
     * @return counts by name; those of the end when the driver has ended
     */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        COUNTS.forEach((name, counter) -> counts.put(name, counters.getCounterValue(counter.id())));
        return counts;
    }

    /**
     * Where the driver is.
     *
     * @return its directory, for {@link #existing}
     */
    public Path directory() {
        return directory;
    }

    /** Ends the connection, and the driver if it was started by this. Idempotent. */
    @Override
    public void close() {
        CloseHelper.quietCloseAll(archive, aeron, embedded);
        if (embedded != null) {
            DriverDirectory.delete(directory);
        }
    }
}
