package dev.escapement.physics.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * What a file of a {@link FlightRing} has, up to its last whole record.
 *
 * @param header   its header
 * @param start    its saved state
 * @param lastTick its last tick, which may have been begun only
 * @param commands whether commands follow that, which ran before a tick that was not begun
 * @param records  the bytes of its records
 */
record FlightPart(LogHeader header, SavedState start, long lastTick, boolean commands, ByteBuffer records) {

    /** Uses parts while the ring does not turn. */
    @FunctionalInterface
    interface Use {

        void accept(List<FlightPart> parts) throws IOException;
    }

    /** The part of a file; empty if it has none, because the process died while it was begun. */
    static List<FlightPart> of(Path path) throws IOException {
        try (LogBytes bytes = new LogBytes(new InputLog.FileSource(path));
                FileChannel channel = FileChannel.open(path)) {
            LogHeader header = LogHeader.decode(bytes);
            ByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            return of(header, file.order(ByteOrder.LITTLE_ENDIAN).position((int) bytes.offset()));
        } catch (DamagedLogException | RuntimeException other) {
            return List.of(); // also what no flight recorder has written
        }
    }

    private static List<FlightPart> of(LogHeader header, ByteBuffer file) {
        int from = file.position();
        SavedState start = null;
        long lastTick = 0;
        boolean commands = false;
        for (int payload; (payload = next(file)) >= 0; ) {
            ByteBuffer record = file.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(payload);
            long number = LogFormat.getNumber(record);
            if (start == null) {
                if (number != LogFormat.SAVED_STATE) {
                    return List.of();
                }
                lastTick = LogFormat.getNumber(record);
                long state = LogFormat.getNumber(record);
                start = new SavedState(lastTick, state, Objects.requireNonNull(SavedState.Kind.ofNumber(record.get())));
            }
            lastTick = Math.max(lastTick, number);
            commands = number == LogFormat.COMMAND || number == LogFormat.LOCAL_COMMAND;
        }
        return start == null
                ? List.of()
                : List.of(new FlightPart(header, start, lastTick, commands, file.slice(from, file.position() - from)));
    }

    /** Moves on by a record, and returns where its payload begins; negative where no whole record is. */
    private static int next(ByteBuffer file) {
        int at = file.position();
        int payload = at + LogFormat.RECORD_HEADER_BYTES;
        if (payload >= file.limit()) {
            return -1;
        }
        int length = file.getInt(at);
        if (length <= 0
                || length > file.limit() - payload
                || file.getInt(at + Integer.BYTES) != LogFormat.checksum(file, at, at + Integer.BYTES)
                || file.getInt(at + 2 * Integer.BYTES) != LogFormat.checksum(file, payload, payload + length)) {
            return -1;
        }
        file.position(payload + length);
        return payload;
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
