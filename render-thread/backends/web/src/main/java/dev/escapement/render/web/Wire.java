package dev.escapement.render.web;

import java.nio.ByteBuffer;

/**
 * The connection to one client. No call waits. Tests replace it by a connection that sends on command.
 *
 * @see LiveSocket
 */
interface Wire {

    /** Sends text. Afterwards some thread calls {@code sent}, unless the connection breaks before. */
    void text(String message, Runnable sent);

    /** Sends a picture, which must not change until {@code sent} is called. */
    void picture(ByteBuffer picture, Runnable sent);

    void ping();

    /** Allows the connection to deliver the next message. */
    void demand();

    /** Sends a close frame with the reason, and closes. */
    void close(int code, String reason);

    /** Disconnects without a close frame. */
    void cut();
}
