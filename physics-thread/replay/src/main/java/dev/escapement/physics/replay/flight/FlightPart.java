package dev.escapement.physics.replay.flight;

import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LogSource;
import dev.escapement.physics.replay.format.SavedState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The content of a file of a {@link FlightRing}, up to its last whole record.
 *
 * @param source   the file
 * @param header   its header
 * @param start    its saved state
 * @param lastTick its last tick, which may have been begun only
 * @param commands whether commands follow it, which ran before a tick that was not begun
 * @param begin    where its records begin
 * @param end      where the last record ends
 */
record FlightPart(
        LogSource source, LogHeader header, SavedState start, long lastTick, boolean commands, long begin, long end) {

    private static final int CHUNK_BYTES = 1 << 16;

    /** Returns the part of a file; empty if it has none, because the process died early, or it is no flight recorder's. */
    static List<FlightPart> of(LogSource source) throws IOException {
        try (LogReader reader = new LogReader(source, Long.MAX_VALUE)) {
            long end = reader.offset();
            try {
                while (reader.readRecord()) {
                    end = reader.offset();
                }
            } catch (DamagedLogException notWrittenYet) {
                // a record is there when all of it is
            }
            return reader.start().equals(SavedState.AS_BUILT)
                    ? List.of()
                    : List.of(new FlightPart(
                            source,
                            reader.header(),
                            reader.start(),
                            reader.tick().number,
                            reader.isBeforeTick(),
                            reader.recordsOffset(),
                            end));
        } catch (DamagedLogException | NoSuchFileException other) {
            return List.of();
        }
    }

    /** Writes its records. */
    void copyTo(OutputStream log) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream from = source.open()) {
            from.skipNBytes(begin);
            for (long left = end - begin; left > 0; ) {
                int read = from.read(chunk, 0, (int) Math.min(left, CHUNK_BYTES));
                if (read < 0) {
                    throw new IOException("a file of the flight recorder's ring was cut: " + source);
                }
                log.write(chunk, 0, read);
                left -= read;
            }
        }
    }

    /** Returns the newest parts that follow each other without a gap, the oldest first. */
    static List<FlightPart> lastInARow(List<FlightPart> parts) {
        List<FlightPart> sorted = new ArrayList<>(parts);
        sorted.sort(Comparator.comparingLong(part -> part.start.number()));
        int from = sorted.size();
        while (from > 0 && (from == sorted.size() || sorted.get(from - 1).isBefore(sorted.get(from)))) {
            from--;
        }
        return sorted.subList(from, sorted.size());
    }

    /** Returns the tick that ends the parts, or before which their last command ran. */
    static long endOf(List<FlightPart> parts) {
        FlightPart last = parts.get(parts.size() - 1);
        return last.lastTick + (last.commands ? 1 : 0);
    }

    private boolean isBefore(FlightPart next) {
        return next.start.number() == start.number() + 1 && next.start.tick() == lastTick;
    }
}
