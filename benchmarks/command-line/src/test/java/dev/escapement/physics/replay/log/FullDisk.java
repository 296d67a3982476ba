package dev.escapement.physics.replay.log;

import java.io.IOException;

/** Fails a recording as a full disk does. */
public final class FullDisk {

    private FullDisk() {}

    /** Makes the recording fail before a tick. */
    public static void fail(Recording recording, long tick) {
        recording.fail(tick, new IOException("No space left on device"));
    }
}
