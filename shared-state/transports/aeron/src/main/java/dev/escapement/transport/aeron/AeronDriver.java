package dev.escapement.transport.aeron;

import io.aeron.Aeron;
import io.aeron.CncFileDescriptor;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.reports.LossReportUtil;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.exceptions.AeronException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.LangUtil;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * Aeron's media driver and a connection to it, which the senders and receivers of a process share. The driver runs in this process, or in
 * another one.
 *
 * <pre>{@code
 * try (AeronDriver driver = AeronDriver.embedded();
 *         AeronSender stream = AeronSender.start(driver, "aeron:udp?endpoint=localhost:20121", sender, clock)) {
 *     ...
 * }
 * }</pre>
 *
 * <p>An embedded driver has one thread, which sleeps 200 us at a time, and a separate directory in shared memory. A driver that starts
 * deletes the directories of processes that have died.
 *
 * <p>Any thread may call any method.
 */
public final class AeronDriver implements AutoCloseable {

    /** The JVM option that Aeron's buffers need. */
    public static final String ADD_OPENS = "--add-opens java.base/jdk.internal.misc=ALL-UNNAMED";

    /**
     * The maximum bytes of a UDP payload, with Aeron's headers: the minimum MTU of IPv6, 1,280, less 48 bytes of headers, as a multiple of
     * 32, which Aeron demands. Packets of this size pass tunnels, which silently drop larger ones.
     */
    public static final int MTU_BYTES = 1216;

    private static final System.Logger LOG = System.getLogger("dev.escapement.state");
    private static final Pattern NOISE = Pattern.compile(
            "(FATAL|ERROR|WARN) - |[\\w.$]+Exception : |channel error - | \\(at .*?\\(.*?\\)\\)|, errorCodeValue=.*");
    private static final int COUNTER_BYTES = 1 << 20;
    private static final long LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long IMAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long TIMER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final int LOOK_UP_MILLIS = 10;

    private final Path directory;
    private final SteadyClock clock;
    private final @Nullable MediaDriver embedded;

    /** A separate mapping of the counters: the connection unmaps its own when it ends, but a closed driver still returns counts. */
    private final CountersReader counters;

    private final Aeron aeron;

    /** The room in bytes that streams can still fill. Tests replace it. */
    LongSupplier roomBytes;

    private final Map<Subscription, StreamChannel> subscriptions = new ConcurrentHashMap<>();

    final StreamThread streams = new StreamThread("escapement-aeron-streams");

    private AeronDriver(Path directory, SteadyClock clock, @Nullable MediaDriver embedded) {
        this.directory = directory;
        this.clock = clock;
        this.embedded = embedded;
        roomBytes = () -> DriverDirectory.roomBytes(directory);
        aeron = Aeron.connect(newClientContext()
                .errorHandler(AeronDriver::log)
                .subscriberErrorHandler(LangUtil::rethrowUnchecked)); // so that an error ends its own stream
        try {
            counters = mapCounters(directory);
        } catch (Throwable e) { // Agrona also throws checked exceptions
            aeron.close();
            throw e;
        }
    }

    /**
     * {@return a driver that was started in this process, to be closed after its streams}
     *
     * @throws IllegalStateException if the JVM was started without {@value #ADD_OPENS}, or the driver cannot start, for example because
     *                               there is no room for its directory; then nothing remains of it
     */
    public static AeronDriver embedded() {
        requireOpenBuffers();
        Path directory = null;
        MediaDriver driver = null;
        try {
            directory = DriverDirectory.create();
            SteadyClock clock = newClock();
            driver = MediaDriver.launch(context(directory, clock));
            // Aeron leaves this file sparse.
            DriverDirectory.fill(directory.resolve(LossReportUtil.LOSS_REPORT_FILE_NAME));
            return new AeronDriver(directory, clock, driver);
        } catch (Throwable e) { // Agrona also throws checked exceptions
            CloseHelper.quietClose(driver);
            if (directory != null) {
                DriverDirectory.delete(directory);
            }
            throw new IllegalStateException("Aeron's driver cannot start: " + firstLine(e), e);
        }
    }

    /**
     * {@return the settings of an embedded driver with a thread and a directory of its own, for programs that add settings}
     *
     * @throws IllegalStateException if the JVM was started without {@value #ADD_OPENS}, or there is no room for the directory
     */
    public static MediaDriver.Context newContext() {
        requireOpenBuffers();
        return context(DriverDirectory.create(), newClock());
    }

    private static SteadyClock newClock() {
        return new SteadyClock(SystemNanoClock.INSTANCE, SystemEpochClock.INSTANCE);
    }

    private static MediaDriver.Context context(Path directory, SteadyClock clock) {
        return new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .epochClock(clock)
                .nanoClock(clock)
                .dirDeleteOnStart(true) // the directory is empty, and belongs to this driver
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingIdleStrategy(SLEEP_NANOS))
                .asyncExecutorIdleStrategy(new SleepingMillisIdleStrategy(LOOK_UP_MILLIS))
                .timerIntervalNs(TIMER_NANOS) // sets the interval of the driver's signs of life, too
                .counterValuesBufferLength(COUNTER_BYTES)
                .mtuLength(MTU_BYTES)
                .ipcMtuLength(MTU_BYTES) // as with UDP, because recordings are replayed over UDP in unchanged packets
                .publicationTermBufferLength(StreamChannel.TERM_BYTES)
                .ipcTermBufferLength(StreamChannel.TERM_BYTES)
                .termBufferSparseFile(false) // because a write to a sparse file in a full folder ends the driver
                .retransmitUnicastLingerNs(LINGER_NANOS)
                .imageLivenessTimeoutNs(IMAGE_NANOS)
                .errorHandler(AeronDriver::log);
    }

    /**
     * {@return a connection to a driver that runs already, to be closed after its streams}
     *
     * @param directory its directory
     * @throws IllegalStateException if the JVM was started without {@value #ADD_OPENS}, or there is no such driver
     */
    public static AeronDriver existing(Path directory) {
        requireOpenBuffers();
        if (!DriverDirectory.isActive(directory)) {
            throw new IllegalStateException("no Aeron driver of this version runs in " + directory);
        }
        return new AeronDriver(directory, newClock(), null);
    }

    private static CountersReader mapCounters(Path directory) {
        ByteBuffer file = IoUtil.mapExistingFile(
                directory.resolve(CncFileDescriptor.CNC_FILE).toFile(), "Aeron's counters");
        DirectBuffer layout = CncFileDescriptor.createMetaDataBuffer(file);
        return new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(file, layout),
                CncFileDescriptor.createCountersValuesBuffer(file, layout));
    }

    private static void requireOpenBuffers() {
        Module base = Object.class.getModule();
        if (!base.isOpen("jdk.internal.misc", Aeron.class.getModule())) {
            throw new IllegalStateException("Aeron needs access to a package of the JDK; start Java with " + ADD_OPENS);
        }
    }

    /**
     * {@return the cause of a failure, in one line} Aeron's messages have many lines, and names of classes.
     *
     * @param failure the exception that Aeron threw
     */
    public static String firstLine(Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        String line = message.lines().findFirst().orElse("");
        return NOISE.matcher(line).replaceAll("");
    }

    private static void log(Throwable error) {
        LOG.log(System.Logger.Level.WARNING, "Aeron: " + firstLine(error));
    }

    /** {@return the settings of another connection to this driver, for clients of Aeron itself: with the driver's directory and clocks} */
    public Aeron.Context newClientContext() {
        return new Aeron.Context()
                .aeronDirectoryName(directory.toString())
                .epochClock(clock)
                .nanoClock(clock);
    }

    Aeron aeron() {
        return aeron;
    }

    ExclusivePublication publish(StreamChannel channel) {
        requireRoom(channel);
        return aeron.addExclusivePublication(channel.ofSender(), channel.streamId());
    }

    Subscription subscribe(StreamChannel channel) {
        if (channel.isIpc()) {
            // Reads the sender's buffers: needs no room.
            return aeron.addSubscription(channel.ofReceiver(), channel.streamId());
        }
        subscriptions.keySet().removeIf(Subscription::isClosed);
        if (!subscriptions.containsValue(channel)) { // receivers of one channel share its buffers
            requireRoom(channel);
        }
        Subscription subscription = aeron.addSubscription(channel.ofReceiver(), channel.streamId());
        subscriptions.put(subscription, channel);
        return subscription;
    }

    /**
     * Throws unless there is room for the buffers of one more stream. Aeron creates a receiver's buffers when its sender comes, too late to
     * refuse the receiver. So the buffers of receivers that still wait for senders count as used.
     */
    private void requireRoom(StreamChannel channel) {
        if (aeron.isClosed()) {
            return; // Aeron itself refuses the stream, with the reason
        }
        subscriptions.keySet().removeIf(Subscription::isClosed);
        long waitingBytes = subscriptions.entrySet().stream()
                .filter(entry -> entry.getKey().hasNoImages())
                .map(Map.Entry::getValue)
                .distinct()
                .mapToLong(StreamChannel::logBytes)
                .sum();
        long room = roomBytes.getAsLong();
        if (room - waitingBytes < channel.logBytes()) {
            throw new AeronException(directory + " has " + (room >> 20) + " MB left, of which receivers that wait for"
                    + " senders need " + (waitingBytes >> 20) + ", but the stream needs " + (channel.logBytes() >> 20)
                    + DriverDirectory.MORE_ROOM + ", or add |term-length=256k to the channel, if bursts are small");
        }
    }

    /** Throws if the driver was closed, or was silent for so long that the connection to it was closed. */
    void requireOpen() {
        if (aeron.isClosed()) {
            throw new IllegalStateException("Aeron's driver has ended");
        }
    }

    /**
     * {@return Aeron's own counts of the driver since it started, for all streams, by name; the final ones when the driver has ended}
     * {@code losses-seen} are gaps that receivers here requested again, {@code retransmits} packets that senders here sent again. {@code
     * flow-control-limits} is how often a sender had to wait for receivers, {@code overruns} how many packets were dropped because a
     * receiver here read too slowly. {@code errors} are logged, too.
     */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("bytes-sent", count(SystemCounterDescriptor.BYTES_SENT));
        counts.put("bytes-received", count(SystemCounterDescriptor.BYTES_RECEIVED));
        counts.put("losses-seen", count(SystemCounterDescriptor.NAK_MESSAGES_SENT));
        counts.put("retransmits", count(SystemCounterDescriptor.RETRANSMITS_SENT));
        counts.put("flow-control-limits", count(SystemCounterDescriptor.SENDER_FLOW_CONTROL_LIMITS));
        counts.put("overruns", count(SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS));
        counts.put("errors", count(SystemCounterDescriptor.ERRORS));
        return counts;
    }

    private long count(SystemCounterDescriptor counter) {
        return counters.getCounterValue(counter.id());
    }

    /** {@return the directory of the driver, for {@link #existing} and Aeron's own tools} */
    public Path directory() {
        return directory;
    }

    /** Closes the connection, and the driver if this object started it. Idempotent. */
    @Override
    public void close() {
        CloseHelper.quietCloseAll(aeron, embedded);
        if (embedded != null) {
            DriverDirectory.delete(directory);
        }
    }
}
