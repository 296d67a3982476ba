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
 * One file of a {@link FlightRing}, up to its last whole record.
 *
 * @param source   the file
 * @param header   its header
 * @param start    the saved state with which the file starts
 * @param lastTick the last tick of the file, which may have begun without ending
 * @param commands whether the file ends with commands before a tick that it does not have
 * @param begin    the offset of the first record
 * @param end      the offset after the last record
 */
record FlightPart(
        LogSource source, LogHeader header, SavedState start, long lastTick, boolean commands, long begin, long end) {

    private static final int CHUNK_BYTES = 1 << 16;

    /** Returns the part in a file; empty if the process died before it saved a state, or if no flight recorder wrote the file. */
    static List<FlightPart> of(LogSource source) throws IOException {
        try (LogReader reader = new LogReader(source, Long.MAX_VALUE)) {
            long end = reader.offset();
            try {
                while (reader.readRecord()) {
                    end = reader.offset();
                }
            } catch (DamagedLogException notWrittenYet) {
                // the part ends after the last whole record
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

    /** Returns the tick at which the parts end: the last one, or the next one if commands follow the last one. */
    static long endOf(List<FlightPart> parts) {
        FlightPart last = parts.get(parts.size() - 1);
        return last.lastTick + (last.commands ? 1 : 0);
    }

    private boolean isBefore(FlightPart next) {
        return next.start.number() == start.number() + 1 && next.start.tick() == lastTick;
    }
}
