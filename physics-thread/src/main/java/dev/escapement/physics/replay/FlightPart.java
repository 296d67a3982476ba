package dev.escapement.physics.replay;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a file of a {@link FlightRing} has, up to its last whole record.
 *
 * @param file     the file
 * @param header   its header
 * @param start    its saved state
 * @param lastTick its last tick, which may have been begun only
 * @param commands whether commands follow that, which ran before a tick that was not begun
 * @param begin    where its records begin
 * @param end      where the last of them ends
 */
record FlightPart(
        Path file, LogHeader header, SavedState start, long lastTick, boolean commands, long begin, long end) {

    /** Uses parts while the ring does not turn. */
    @FunctionalInterface
    interface Use {

        void accept(List<FlightPart> parts) throws IOException;
    }

    /** The part of a file; empty if it has none, because the process died while it was begun. */
    static List<FlightPart> of(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        try (LogReader reader = new LogReader(new InputLog.FileSource(file), Long.MAX_VALUE)) {
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
                            file,
                            reader.header(),
                            reader.start(),
                            reader.tick().number,
                            reader.isBeforeTick(),
                            reader.recordsOffset(),
                            end));
        } catch (DamagedLogException other) {
            return List.of(); // also what no flight recorder has written
        }
    }

    /** Writes its records. */
    void copyTo(FileChannel log) throws IOException {
        try (FileChannel from = FileChannel.open(file)) {
            for (long at = begin; at < end; ) {
                long copied = from.transferTo(at, end - at, log);
                if (copied <= 0) {
                    throw new IOException("a file of the flight recorder's ring was cut: " + file);
                }
                at += copied;
            }
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
