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

    /** Finds a program by its name in the folders of PATH. */
    public static Optional<Path> onPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Builds a process that runs at normal priority. Without this, a child inherits this process's real-time priority, and a busy child of
     * such a priority would stop the machine.
     */
    public static ProcessBuilder atNormalPriority(List<String> command) {
        List<String> whole = new ArrayList<>();
        onPath("chrt").ifPresent(chrt -> whole.addAll(List.of(chrt.toString(), "-o", "0")));
        whole.addAll(command);
        return new ProcessBuilder(whole);
    }

    /** Returns the command that runs a class of this program in a JVM of its own, with the given flags. */
    public static List<String> java(List<String> flags, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    /**
     * Returns a command that runs {@code command} with SIGINT and SIGTERM ignored from its start. The parent gets these signals too, and
     * ends its children in order. A JVM keeps ignoring a signal that was ignored at its start. On a system without a shell, the signals end
     * the child.
     */
    public static List<String> withoutCtrlC(List<String> command) {
        List<String> whole = new ArrayList<>();
        onPath("sh").ifPresent(sh -> whole.addAll(List.of(sh.toString(), "-c", "trap '' INT TERM; exec \"$@\"", "sh")));
        whole.addAll(command);
        return whole;
    }

    /** Calls {@code ended} once, on a daemon thread, when the standard input of this process ends. It ends when the parent dies. */
    public static void watchParent(Runnable ended) {
        Thread watch = new Thread(
                () -> {
                    try {
                        // Nothing is sent, so this waits for the end.
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // The input has ended, too, if its pipe is broken.
                    }
                    ended.run();
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
