/**
 * What Linux offers to a thread that must be on time, by system calls that Java has no methods for. Each call is about the thread that
 * makes it. Start reading at {@link dev.escapement.platform.linux.LinuxThreadPolicy}.
 */
@NullMarked
package dev.escapement.platform.linux;

import org.jspecify.annotations.NullMarked;
