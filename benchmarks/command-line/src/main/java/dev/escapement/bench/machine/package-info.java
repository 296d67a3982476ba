/**
 * {@code escapement machine}: measures how exactly this machine can tick, and says what to change. Start reading at {@code MachineCommand}.
 */
@NullMarked
package dev.escapement.bench.machine;

import org.jspecify.annotations.NullMarked;
