package dev.escapement.render.web;

import java.nio.ByteBuffer;

/**
 * The connection to one client. No call waits. Tests replace it by one that sends when they say so.
 *
 * @see LiveSocket
 */
interface Wire {

    /** Sends text. {@code sent} is called, by any thread, when it has left, and never if the connection breaks before. */
    void text(String message, Runnable sent);

    /** Sends a picture, which must not change until {@code sent} is called. */
    void picture(ByteBuffer picture, Runnable sent);

    /** Asks the client for a sign of life. */
    void ping();

    /** Takes the next message. */
    void demand();

    /** Says why, and closes. */
    void close(int code, String reason);

    /** Closes without a word. */
    void cut();
}
