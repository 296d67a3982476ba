package dev.escapement.physics.replay.format;

import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header of a log. Immutable.
 *
 * @param description  the description of the run
 * @param commandTypes the types of commands that are data; records name a type by its index in this list
 * @param settings     the settings that must be equal in a replay, see {@link Simulation#settings}
 * @param report       the reason for which a flight recorder archived the log; null for an ordinary recording
 * @param processor    the processor of the recording, as in {@code os.arch}; empty if it is not known
 */
public record LogHeader(
        RunDescription description,
        List<CommandName> commandTypes,
        String settings,
        @Nullable FlightReport report,
        String processor) {

    private static final int PREFIX_BYTES = LogFormat.MAGIC.length + 2 * Integer.BYTES;
    private static final int MAX_CONTENT_BYTES = 1 << 20;
    private static final int MAX_CHARS = 2000;

    private static final String INSTEAD = "; name what 'run --record FILE' wrote";

    private static final byte REPORT = 1;
    private static final byte SETTINGS = 2;
    private static final byte PROCESSOR = 4;

    /** Creates the header of an ordinary recording of a simulation without settings. */
    public LogHeader(RunDescription description, List<CommandName> commandTypes) {
        this(description, commandTypes, "", null);
    }

    /** Creates the header of a recording on this processor. */
    public LogHeader(
            RunDescription description,
            List<CommandName> commandTypes,
            String settings,
            @Nullable FlightReport report) {
        this(description, commandTypes, settings, report, System.getProperty("os.arch"));
    }

    public LogHeader {
        commandTypes = List.copyOf(commandTypes);
        if (settings.length() > MAX_CHARS) {
            throw new IllegalArgumentException(
                    "the settings of a simulation may have " + MAX_CHARS + " characters in a log, but have "
                            + settings.length() + "; let settings() return a digest of them");
        }
    }

    /**
     * Creates the header of a ring file. Its report says that the process died; if the file is archived for another reason, that reason
     * replaces it.
     */
    public static LogHeader ofFlight(RunDescription description, Simulation simulation, String origin) {
        FlightReport died = new FlightReport(TickHook.Fault.Reason.DIED, 0, "", "", "", "", origin);
        return new LogHeader(description, simulation.commands().types(), simulation.settings(), died);
    }

    /** Throws an {@link IllegalArgumentException} if a simulation does not override {@link Simulation#hash()}. */
    public static void requireHash(Simulation simulation) {
        try {
            if (simulation.getClass().getMethod("hash").getDeclaringClass() == Simulation.class) {
                throw new IllegalArgumentException(
                        simulation.getClass().getName()
                                + " does not implement hash(), which a log has after every tick; implement it, or record nothing");
            }
        } catch (NoSuchMethodException unknown) {
            // A native image may keep no method names of this class. Then the first tick fails.
        }
    }

    public LogHeader with(FlightReport newReport) {
        return new LogHeader(description, commandTypes, settings, newReport, processor);
    }

    public ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(MAX_CONTENT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(LogFormat.MAGIC).putInt(LogFormat.VERSION).putInt(0);
        put(buffer, description.engine());
        put(buffer, description.engineVersion());
        put(buffer, description.scene());
        buffer.putLong(description.seed());
        TickRate rate = description.rate();
        buffer.putLong(rate.numerator()).putLong(rate.denominator());
        buffer.put((byte) ((report == null ? 0 : REPORT)
                | (settings.isEmpty() ? 0 : SETTINGS)
                | (processor.isEmpty() ? 0 : PROCESSOR)));
        buffer.putInt(commandTypes.size());
        commandTypes.forEach(type -> {
            put(buffer, type.name());
            buffer.putInt(type.version());
        });
        if (report != null) {
            put(buffer, report);
        }
        if (!settings.isEmpty()) {
            put(buffer, settings);
        }
        if (!processor.isEmpty()) {
            put(buffer, processor);
        }
        buffer.putInt(PREFIX_BYTES - Integer.BYTES, buffer.position() - PREFIX_BYTES);
        buffer.putInt(LogFormat.checksum(buffer, 0, buffer.position()));
        return buffer.flip();
    }

    /** Reads the header, and leaves the source at the first record. */
    static LogHeader decode(LogBytes source) throws IOException {
        byte[] magic = new byte[(int) Math.min(LogFormat.MAGIC.length, source.available())];
        if (magic.length == 0) {
            throw source.damaged(0, "the file is empty" + INSTEAD);
        }
        boolean hasPrefix = source.require(magic.length) && source.require(PREFIX_BYTES);
        ByteBuffer buffer = source.buffer();
        int start = buffer.position();
        buffer.get(start, magic);
        if (!Arrays.equals(magic, Arrays.copyOf(LogFormat.MAGIC, magic.length))) {
            throw source.damaged(
                    0,
                    "this is no log of input that Escapement has written: it begins with other bytes than logs do"
                            + INSTEAD);
        }
        if (!hasPrefix) {
            throw source.damaged(0, "the file ends within its header");
        }
        int version = buffer.getInt(start + magic.length);
        if (version != LogFormat.VERSION) {
            throw source.damaged(
                    magic.length,
                    "the format's version is " + version + ", but this Escapement reads only " + LogFormat.VERSION
                            + "; read it with the Escapement that wrote it");
        }
        int length = buffer.getInt(start + magic.length + Integer.BYTES);
        if (length < 0 || length > MAX_CONTENT_BYTES) {
            throw source.damaged(magic.length + Integer.BYTES, "the header cannot have " + length + " bytes");
        }
        if (!source.require(PREFIX_BYTES + length + Integer.BYTES)) {
            throw source.damaged(0, "the file ends within its header");
        }
        return decode(source, length);
    }

    private static LogHeader decode(LogBytes source, int length) throws IOException {
        ByteBuffer buffer = source.buffer();
        int start = buffer.position();
        int end = start + PREFIX_BYTES + length;
        if (buffer.getInt(end) != LogFormat.checksum(buffer, start, end)) {
            throw source.damaged(0, "the header's checksum is wrong");
        }
        ByteBuffer content = buffer.slice(start + PREFIX_BYTES, length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.position(end + Integer.BYTES);
        try {
            RunDescription description = new RunDescription(
                    text(content),
                    text(content),
                    text(content),
                    content.getLong(),
                    new TickRate(content.getLong(), content.getLong()));
            byte flags = content.get();
            if ((flags & ~(REPORT | SETTINGS | PROCESSOR)) != 0) {
                throw new IllegalArgumentException("it has unknown flags " + flags);
            }
            List<CommandName> types = new ArrayList<>();
            for (int left = content.getInt(); left > 0; left--) {
                types.add(new CommandName(text(content), content.getInt()));
            }
            FlightReport report = (flags & REPORT) == 0 ? null : report(content);
            String settings = (flags & SETTINGS) == 0 ? "" : text(content);
            String processor = (flags & PROCESSOR) == 0 ? "" : text(content);
            if (content.hasRemaining()) {
                throw source.damaged(0, "the header has " + content.remaining() + " bytes too many");
            }
            return new LogHeader(description, types, settings, report, processor);
        } catch (BufferUnderflowException tooShort) {
            throw source.damaged(0, "the header cannot be read: it ends too early");
        } catch (RuntimeException wrong) {
            throw source.damaged(0, "the header cannot be read: " + wrong.getMessage());
        }
    }

    private static void put(ByteBuffer buffer, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.putInt(bytes.length).put(bytes);
    }

    private static void put(ByteBuffer buffer, FlightReport report) {
        put(buffer, report.reason().name());
        buffer.putLong(report.tick());
        put(buffer, cut(report.thrown()));
        put(buffer, cut(report.place()));
        put(buffer, cut(report.detail()));
        put(buffer, cut(report.time()));
        put(buffer, cut(report.origin()));
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), MAX_CHARS));
    }

    private static FlightReport report(ByteBuffer content) {
        return new FlightReport(
                TickHook.Fault.Reason.valueOf(text(content)),
                content.getLong(),
                text(content),
                text(content),
                text(content),
                text(content),
                text(content));
    }

    private static String text(ByteBuffer content) {
        int length = content.getInt();
        if (length < 0 || length > content.remaining()) {
            throw new IllegalArgumentException("a text cannot have " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        content.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
