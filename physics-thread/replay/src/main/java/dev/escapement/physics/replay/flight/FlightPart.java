package dev.escapement.physics.replay.flight;

import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LogSource;
import dev.escapement.physics.replay.format.SavedState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What a file of a {@link FlightRing} has, up to its last whole record.
 *
 * @param source   the file
 * @param isThere  whether the file was not overwritten
 * @param header   its header
 * @param start    its saved state
 * @param lastTick its last tick, which may have been begun only
 * @param commands whether commands follow that, which ran before a tick that was not begun
 * @param begin    where its records begin
 * @param end      where the last of them ends
 */
record FlightPart(
        LogSource source,
        BooleanSupplier isThere,
        LogHeader header,
        SavedState start,
        long lastTick,
        boolean commands,
        long begin,
        long end) {

    private static final int CHUNK_BYTES = 1 << 16;

    /** A file was overwritten before it was read. */
    static final class OverwrittenException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Uses parts. May be called again, if it throws an {@link OverwrittenException}. */
    @FunctionalInterface
    interface Use {

        void accept(List<FlightPart> parts) throws IOException;
    }

    /** The part of a file; empty if it has none, because the process died while it was begun. */
    static List<FlightPart> of(LogSource source, BooleanSupplier isThere) throws IOException {
        try (LogReader reader = new LogReader(source, Long.MAX_VALUE)) {
            long end = reader.offset();
            try {
                while (reader.readRecord()) {
                    end = reader.offset();
                }
            } catch (DamagedLogException zeros) {
                // or what is left of older records
            }
            return reader.start().equals(SavedState.AS_BUILT)
                    ? List.of()
                    : List.of(new FlightPart(
                            source,
                            isThere,
                            reader.header(),
                            reader.start(),
                            reader.tick().number,
                            reader.isBeforeTick(),
                            reader.recordsOffset(),
                            end));
        } catch (DamagedLogException | NoSuchFileException other) {
            return List.of(); // also what no flight recorder has written
        }
    }

    /** Writes its records. */
    void copyTo(WritableByteChannel log) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        OutputStream to = Channels.newOutputStream(log);
        try (InputStream from = source.open()) { // not a FileChannel, which an interrupt closes
            from.skipNBytes(begin);
            for (long left = end - begin; left > 0; ) {
                int read = from.read(chunk, 0, (int) Math.min(left, CHUNK_BYTES));
                if (read < 0) {
                    throw new IOException("a file of the flight recorder's ring was cut: " + source);
                }
                to.write(chunk, 0, read);
                left -= read;
            }
        }
        if (!isThere.getAsBoolean()) {
            throw new OverwrittenException();
        }
    }

    /** The newest parts that follow each other without a gap, the oldest first, from one from which the run can go on if there is one. */
    static List<FlightPart> lastInARow(List<FlightPart> parts) {
        List<FlightPart> sorted = new ArrayList<>(parts);
        sorted.sort(Comparator.comparingLong(part -> part.start.number()));
        int from = sorted.size();
        while (from > 0 && (from == sorted.size() || sorted.get(from - 1).isBefore(sorted.get(from)))) {
            from--;
        }
        int first = from;
        while (first < sorted.size() && sorted.get(first).start.kind() == SavedState.Kind.CONTINUES) {
            first++;
        }
        return sorted.subList(first == sorted.size() ? from : first, sorted.size());
    }

    /** The tick that the parts end in, or before which a command ran. */
    static long endOf(List<FlightPart> parts) {
        FlightPart last = parts.get(parts.size() - 1);
        return last.lastTick + (last.commands ? 1 : 0);
    }

    private boolean isBefore(FlightPart next) {
        return next.start.number() == start.number() + 1 && next.start.tick() == lastTick;
    }
}
