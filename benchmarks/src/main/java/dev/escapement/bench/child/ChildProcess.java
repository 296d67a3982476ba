package dev.escapement.bench.child;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How child processes are found and started. */
public final class ChildProcess {

    private ChildProcess() {}

    /** The program of that name on the PATH. */
    public static Optional<Path> onPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * A process that runs at normal priority, even where this one was given real-time priority, which children inherit: busy
     * children would stop the machine.
     */
    public static ProcessBuilder atNormalPriority(List<String> command) {
        List<String> whole = new ArrayList<>();
        onPath("chrt").ifPresent(chrt -> whole.addAll(List.of(chrt.toString(), "-o", "0")));
        whole.addAll(command);
        return new ProcessBuilder(whole);
    }

    /**
     * The command that runs a class of this program in another JVM, of the same kind as this one.
     *
     * @param flags     of the JVM
     * @param main      what to run
     * @param arguments what it is given
     */
    public static List<String> java(List<String> flags, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }
}
