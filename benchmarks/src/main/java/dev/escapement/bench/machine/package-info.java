/**
 * What to expect of a machine, and what to change about it.
 *
 * <p>Main thread. Start reading at {@link dev.escapement.bench.machine.MachineCommand}.
 */
@NullMarked
package dev.escapement.bench.machine;

import org.jspecify.annotations.NullMarked;
