/**
 * Linux settings for threads that must be on time, through system calls that Java has no methods for. Each call affects the thread that
 * makes it. Start reading at {@link dev.escapement.platform.linux.LinuxThreadPolicy}.
 */
@NullMarked
package dev.escapement.platform.linux;

import org.jspecify.annotations.NullMarked;
