/** What to expect of a machine, what to change, and how large a world it can run. Start reading at {@code MachineCommand}. */
@NullMarked
package dev.escapement.bench.machine;

import org.jspecify.annotations.NullMarked;
