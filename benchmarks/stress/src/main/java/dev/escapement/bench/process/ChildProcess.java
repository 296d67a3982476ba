package dev.escapement.bench.process;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds programs, starts them as child processes, and ends them with their parent. */
public final class ChildProcess {

    private ChildProcess() {}

    /** Finds the program of that name on the PATH. */
    public static Optional<Path> onPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Builds a process that runs at normal priority. Children inherit a real-time priority of this process, and busy children of that
     * priority would stop the machine.
     */
    public static ProcessBuilder atNormalPriority(List<String> command) {
        List<String> whole = new ArrayList<>();
        onPath("chrt").ifPresent(chrt -> whole.addAll(List.of(chrt.toString(), "-o", "0")));
        whole.addAll(command);
        return new ProcessBuilder(whole);
    }

    /**
     * Returns the command that runs a class of this program in another JVM, with the given flags, and with those of this JVM that choose
     * its kind.
     */
    public static List<String> java(List<String> flags, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    /**
     * Returns the command such that Ctrl-C and SIGTERM have no effect on it from its first instant on, because the parent gets these
     * signals too, and ends its children in order. A JVM keeps ignoring a signal that was ignored at its start. Without a shell on the
     * system, signals end the command.
     */
    public static List<String> withoutCtrlC(List<String> command) {
        List<String> whole = new ArrayList<>();
        onPath("sh").ifPresent(sh -> whole.addAll(List.of(sh.toString(), "-c", "trap '' INT TERM; exec \"$@\"", "sh")));
        whole.addAll(command);
        return whole;
    }

    /** Calls {@code ended} once, on a daemon thread, when this process's input ends, as it does when the parent dies. */
    public static void watchParent(Runnable ended) {
        Thread watch = new Thread(
                () -> {
                    try {
                        System.in.transferTo(OutputStream.nullOutputStream()); // nothing is sent: waits for the end
                    } catch (IOException e) {
                        // A broken pipe is an end, too.
                    }
                    ended.run();
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
