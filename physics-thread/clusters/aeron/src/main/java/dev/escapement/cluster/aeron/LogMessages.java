package dev.escapement.cluster.aeron;

import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.Aeron;
import io.aeron.cluster.RecordingLog;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of the log in a node's folder, in their order, as Aeron's archive has written them: frames with Aeron's header of data, in files
 * of one size that are named for the position of their first byte. A long message has several frames.
 *
 * <p>One thread. Only reads.
 */
final class LogMessages {

    private final File archive;
    private final String log;
    private final UnsafeBuffer segment;
    private final ExpandableArrayBuffer message;
    private int length;
    private boolean isWithinMessage;
    private long nextSegment;
    private int at = AeronNode.SEGMENT_BYTES;

    /**
     * Before the first message.
     *
     * @throws IllegalArgumentException if there is no log, or its begin is not there
     * @throws IllegalStateException    if Aeron's buffers are refused access
     */
    LogMessages(Path folder) {
        this(folder, 0);
        if (!file(0).isFile()) {
            throw new IllegalArgumentException("the begin of the log in " + folder
                    + " was deleted after states were saved, or is not there because a state was copied, and without it its ticks cannot be run again; start the node to go on"
                    + " from its last state");
        }
    }

    /** Before the first message of the file with a position, if there is that file. */
    LogMessages(Path folder, long fromPosition) {
        archive = StateFetch.archive(folder);
        File cluster = StateFetch.cluster(folder);
        if (!new File(cluster, RecordingLog.RECORDING_LOG_FILE_NAME).isFile()) {
            throw new IllegalArgumentException("there is no log of a node in " + folder + "; name the folder of one");
        }
        AeronDriver.requireOpenBuffers();
        segment = new UnsafeBuffer(ByteBuffer.allocateDirect(AeronNode.SEGMENT_BYTES));
        message = new ExpandableArrayBuffer();
        try (RecordingLog recordings = new RecordingLog(cluster, false)) {
            long recording = recordings.findLastTermRecordingId();
            if (recording == Aeron.NULL_VALUE) {
                throw new IllegalArgumentException("the node in " + folder + " has not stored anything yet");
            }
            log = recording + "-";
        }
        nextSegment = fromPosition - fromPosition % AeronNode.SEGMENT_BYTES;
    }

    private File file(long position) {
        return new File(archive, log + position + ".rec");
    }

    /** Goes on to the next message; false after the last whole one. */
    boolean next() {
        length = 0;
        while (at < AeronNode.SEGMENT_BYTES || readSegment()) {
            int frameBytes = segment.getInt(at);
            if (frameBytes <= 0) {
                return false; // nothing was written here
            }
            byte flags = FrameDescriptor.frameFlags(segment, at);
            boolean isData = FrameDescriptor.frameType(segment, at) == HeaderFlyweight.HDR_TYPE_DATA;
            if (!isFrame(frameBytes, isData, (flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0)) {
                throw new IllegalArgumentException("the log is damaged: " + file(nextSegment - AeronNode.SEGMENT_BYTES)
                        + " has no frame at byte " + at + " that Aeron can have written there, but one of " + frameBytes
                        + " bytes with flags " + Integer.toHexString(flags & 0xFF));
            }
            if (isData) {
                int bytes = frameBytes - DataHeaderFlyweight.HEADER_LENGTH;
                length = (flags & FrameDescriptor.BEGIN_FRAG_FLAG) == 0 ? length : 0;
                message.putBytes(length, segment, at + DataHeaderFlyweight.HEADER_LENGTH, bytes);
                length += bytes;
            }
            at += BitUtil.align(frameBytes, FrameDescriptor.FRAME_ALIGNMENT);
            isWithinMessage = isData && (flags & FrameDescriptor.END_FRAG_FLAG) == 0;
            if (isData && (flags & FrameDescriptor.END_FRAG_FLAG) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Padding is at the end of terms, and no message goes beyond those. */
    private boolean isFrame(int bytes, boolean isData, boolean begins) {
        int end = at + BitUtil.align(bytes, FrameDescriptor.FRAME_ALIGNMENT);
        boolean endsTerm = end % AeronNode.TERM_BYTES == 0;
        return bytes >= DataHeaderFlyweight.HEADER_LENGTH
                && end - at / AeronNode.TERM_BYTES * AeronNode.TERM_BYTES <= AeronNode.TERM_BYTES
                && segment.getInt(at + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET) == at % AeronNode.TERM_BYTES
                && FrameDescriptor.frameVersion(segment, at) == HeaderFlyweight.CURRENT_VERSION
                && (isData
                        ? begins != isWithinMessage
                        : FrameDescriptor.isPaddingFrame(segment, at) && endsTerm && !isWithinMessage);
    }

    private boolean readSegment() {
        File file = file(nextSegment);
        if (!file.isFile()) {
            return false;
        }
        ByteBuffer bytes = segment.byteBuffer().clear();
        try (FileChannel channel = FileChannel.open(file.toPath())) {
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // until all is read
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the log cannot be read from " + file + ": " + e, e);
        }
        segment.setMemory(bytes.position(), bytes.remaining(), (byte) 0); // where the segment before had more
        nextSegment += AeronNode.SEGMENT_BYTES;
        at = 0;
        return true;
    }

    /** The message, from its first byte on. Valid until the next one. */
    DirectBuffer message() {
        return message;
    }

    int length() {
        return length;
    }
}
