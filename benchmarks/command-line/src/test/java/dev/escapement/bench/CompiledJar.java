package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Sources compiled against this program into a jar, as a user does it. */
final class CompiledJar {

    private CompiledJar() {}

    /** Compiles in the folder and returns its jar. */
    static Path of(Path folder, Path... sources) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(sources))
                            .call())
                    .isTrue();
        }
        return jar(classes, folder.resolve("own.jar"));
    }

    private static Path jar(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> tree = Files.walk(classes)) {
            for (Path compiled : tree.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(compiled).toString().replace('\\', '/')));
                Files.copy(compiled, out);
            }
        }
        return jar;
    }
}
