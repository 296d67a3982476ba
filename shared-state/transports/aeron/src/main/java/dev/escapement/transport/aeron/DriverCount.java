package dev.escapement.transport.aeron;

import io.aeron.driver.status.SystemCounterDescriptor;

/**
 * What a driver counts.
 *
 * @see AeronDriver#count
 */
public enum DriverCount {
    /** Bytes sent. */
    BYTES_SENT(SystemCounterDescriptor.BYTES_SENT),
    /** Bytes received. */
    BYTES_RECEIVED(SystemCounterDescriptor.BYTES_RECEIVED),
    /** Gaps that receivers here asked to be sent again. */
    LOSSES_SEEN(SystemCounterDescriptor.NAK_MESSAGES_SENT),
    /** Gaps that receivers filled with nothing, because their channel is not reliable. */
    GAPS_FILLED(SystemCounterDescriptor.LOSS_GAP_FILLS),
    /** Packets that senders here have sent again. */
    RETRANSMITS(SystemCounterDescriptor.RETRANSMITS_SENT),
    /** How often a sender had to wait for receivers. */
    FLOW_CONTROL_LIMITS(SystemCounterDescriptor.SENDER_FLOW_CONTROL_LIMITS),
    /** Packets that came faster than a receiver here read, and were dropped. */
    OVERRUNS(SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS),
    /** Errors, which are logged. */
    ERRORS(SystemCounterDescriptor.ERRORS);

    final SystemCounterDescriptor counter;

    DriverCount(SystemCounterDescriptor counter) {
        this.counter = counter;
    }
}
