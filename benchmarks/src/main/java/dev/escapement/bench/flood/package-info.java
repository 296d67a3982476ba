/**
 * Floods the input of a running service: producers that count what they offered, a simulation that checks what arrives, and the
 * account that has to come out even.
 *
 * <p>Start reading at {@link dev.escapement.bench.flood.Flood}.
 */
@NullMarked
package dev.escapement.bench.flood;

import org.jspecify.annotations.NullMarked;
